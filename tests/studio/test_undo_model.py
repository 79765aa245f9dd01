from tests.studio.undo_model import play


def test_after_every_operation_the_document_is_what_the_model_says(tmp_path):
    done = play(1500, seed=1, folder=tmp_path)
    assert done["edits"] > 400
    assert min(done.values()) > 0
