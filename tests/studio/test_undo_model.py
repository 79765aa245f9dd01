from collections import Counter

from keypose.studio.protocol import commands
from tests.studio.undo_model import KINDS, Game, play


def test_document_equals_the_model_after_every_operation(tmp_path):
    done = Counter()
    for seed in (1, 2, 3):
        (tmp_path / str(seed)).mkdir()
        done.update(play(500, seed, tmp_path / str(seed)))
    assert done["edits"] > 400
    assert min(done[kind] for kind in KINDS) > 0


def test_crash_after_an_edit_without_effect_since_save_loses_nothing(tmp_path):
    game = Game(0, tmp_path)
    game.save()
    same = commands.SetKeys(id=0, actor="red", keys=(2,), changes={"tension": 0.5})
    game.session.apply(same)
    game.model.do(same)
    assert game.equals_its_file()
    assert not game.session.is_saved
    assert game.crash() == "recovered"
