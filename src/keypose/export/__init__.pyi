from .csv_table import csv_lines as csv_lines
from .csv_table import csv_take as csv_take
from .npz_table import npz_bytes as npz_bytes
from .npz_table import npz_take as npz_take
