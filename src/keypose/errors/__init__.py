"""Errors as sentences, with the path to what is wrong.

`keypose_error` holds the error and its suggestions, `error_path` adds and joins paths, `short_repr` writes values.
"""

from keypose.errors.error_path import ErrorPath as ErrorPath
from keypose.errors.error_path import join_path as join_path
from keypose.errors.keypose_error import KeyposeError as KeyposeError
from keypose.errors.keypose_error import UnknownNameError as UnknownNameError
from keypose.errors.keypose_error import did_you_mean as did_you_mean
from keypose.errors.short_repr import MAX_KEYS_IN_REPR as MAX_KEYS_IN_REPR
from keypose.errors.short_repr import list_names as list_names
from keypose.errors.short_repr import short_repr as short_repr
