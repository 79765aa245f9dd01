"""What others read: takes as tables. Bytes in, bytes out; the room `files` decides where they are kept.

`csv_table` and `npz_table` hold the words; `tracks` says what can stand in a table, `columns` how columns are named,
`csv_rows` reads rows, `npz_members` judges an archive before it unpacks anything.
"""
