"""Whatever is typed where a formula belongs is refused at its column; nothing of it is run, and nothing is written."""

import ast
import re
import sys
import threading
from contextlib import contextmanager

import pytest

from keypose.fields.formula.compile import load_loop, loop_source
from keypose.fields.formula.errors import FormulaError
from keypose.fields.formula.formula import Formula, Potential

HOSTILE = [
    # attribute walks
    "().__class__",
    "().__class__.__bases__[0].__subclasses__()",
    "(x).__class__.__mro__[1].__subclasses__()",
    "x.__class__",
    "x.real",
    "x . real",
    "(x, y, z).__len__()",
    "1.0.__class__",
    "1 .__class__",
    "1..hex()",
    "sin.__globals__",
    "sin.__call__(x)",
    "x.__init__.__globals__['os'].system('touch pwned')",
    "np.lib.npyio.os.system('touch pwned')",
    "np.load(x)",
    # dunder and other names that mean something to Python
    "__import__('os').system('touch pwned')",
    "__import__",
    "__builtins__",
    "__builtins__['eval']",
    "__name__",
    "__file__",
    "__",
    "_",
    "__class__",
    "__debug__",
    "eval('1')",
    'exec(\'open("pwned", "w")\')',
    "open('pwned', 'w')",
    "compile(x, y, z)",
    "globals()",
    "locals()",
    "vars()",
    "getattr(x, y)",
    "setattr(x, y, z)",
    "input()",
    "breakpoint()",
    "print(x)",
    "exit(0)",
    "help(x)",
    "type(x)",
    "np",
    "os",
    "sys",
    "self",
    "range(9)",
    "s0",
    "position",
    "parameters",
    "fill(x)",
    # comprehensions, generators
    "[x for x in (1, 2)]",
    "{x for x in (1, 2)}",
    "{x: y for x in (1, 2)}",
    "(x for x in (1, 2))",
    "max(x for x in (1, 2))",
    "max(x for x in iter(int, 1))",
    "[c for c in ().__class__.__base__.__subclasses__()][0]",
    # powers and numbers without end
    "9**9**9",
    "9**9**9**9**9**9**9",
    "(x, y, z) * 9**9**9",
    "x**1000000",
    "x**-1000000",
    "x**(9*9*9*9*9)",
    "2**(2**10)",
    "(((x**64)**64)**64)**6400",
    "1e400",
    "9" * 1999,
    "1" + "0" * 500,
    "." + "9" * 1000 + "e999999999",
    "1e-999999999**1e99",
    "0x" + "f" * 1000,
    "0b1111",
    "0o777",
    "1_000_000",
    "1j",
    "1e5j",
    "1 << 1000000",
    "factorial(1000000)",
    # nesting
    "(" * 1_000_000,
    ")" * 1_000_000,
    "(" * 500_000 + ")" * 500_000,
    "(" * 500_000 + "x" + ")" * 500_000,
    "(" * 900 + "x" + ")" * 900,
    "[" * 1999,
    "{" * 1999,
    "-" * 1999 + "x",
    "+-" * 900 + "x",
    "not " * 490 + "x",
    "~" * 1999 + "x",
    "x" + "**x" * 600,
    "x" + "**-x" * 400,
    "sin(" * 400 + "x" + ")" * 400,
    "normalize(" * 150 + "(x, y, z)" + ")" * 150,
    "where(x > 0, " * 100 + "x" + ", y)" * 100,
    "x, " * 600 + "x",
    "x < " * 490 + "x",
    "lambda: " * 240 + "x",
    "x if x else " * 160 + "x",
    "x " * 1_000_000,
    "x" * 1_000_000,
    " " * 1_000_000,
    "\0" * 1_000_000,
    # unicode look-alikes; Python itself would read ｅ, 𝑥, ſ and ﬁ as plain letters
    "(ｘ, y, z)",
    "ｅxp(x)",
    "𝑥 + y",
    "𝐬𝐢𝐧(x)",
    "ſin(x)",
    "ﬂoor(x)",
    "х + y",
    "(х, у, z)",
    "ｅｖａｌ(x)",
    "__ｉｍｐｏｒｔ__(x)",
    "ｏｓ",
    "ª",
    "x․real",
    "x。real",
    "（x, y, z）",
    "x,\u3000y, z",
    "x，y",
    "x＋y",
    "x∗y",
    "x٫5",
    "٣",
    "３",
    "x\u200b",
    "x\u00ad",
    "\ufeffx",
    "\u202ex",
    "x\u2028y",
    "\ud800",
    "x\udcff",
    "é",
    "e\u0301",
    "😀",
    "x\U000e0001",
    # lambda, walrus, other statements and expressions
    "lambda: 0",
    "lambda x: x",
    "(lambda: x)()",
    "(x := 5)",
    "x := 5",
    "(x, y := 2, z)",
    "x if y else z",
    "x = 5",
    "x += 5",
    "x == 5",
    "import os",
    "from os import system",
    "del x",
    "return x",
    "yield x",
    "(yield x)",
    "await x",
    "async x",
    "assert x",
    "raise x",
    "pass",
    "global x",
    "while 1: x",
    "for x in y: z",
    "def f(): x",
    "class x: y",
    "with x: y",
    "try: x",
    "x; y",
    "x\ny",
    "x\\\n+ y",
    "x # and more",
    "#!/bin/sh",
    "@x",
    "x @ y",
    "x -> y",
    "None",
    "True",
    "False",
    "...",
    "Ellipsis",
    "NotImplemented",
    "x in y",
    "x is y",
    "x not in y",
    # text and bytes
    "'a'",
    '"a"',
    "'a' 'b'",
    "'a' * 1000000000",
    "'%s' % x",
    "b'a'",
    "r'a'",
    "u'a'",
    "f'{x}'",
    'f\'{__import__("os").system("touch pwned")}\'',
    "rb'a'",
    "'''a'''",
    "`touch pwned`",
    "$(touch pwned)",
    "'",
    '"',
    "\\x41",
    # starred, keywords, subscripts, displays
    "*x",
    "(*x, y)",
    "max(*x)",
    "max(**x)",
    "max(x, y, key=sin)",
    "max(x, y=1)",
    "sin(x=1)",
    "x[0]",
    "x[0:1]",
    "(x, y, z)[0]",
    "[x, y, z]",
    "{x, y, z}",
    "{x: y}",
    "[]",
    "{}",
    "()",
    "(x,)",
    "((x, y, z), (x, y, z), (x, y, z))",
    "x(y)",
    "(x)(y)",
    "sin(cos)",
    "sin(x)(y)",
    "sin()",
    "x\x00y",
    "\x1b[2J",
    "x\x0cy",
    "x\x7f",
]


def test_hostile_texts_are_unique_and_at_least_60():
    assert len(set(HOSTILE)) == len(HOSTILE) >= 60


@contextmanager
def audit_events():
    """What Python does meanwhile in this thread, as it tells its auditors: imports, files, code, processes."""
    events, mine = [], threading.get_ident()
    audit_listeners.append(lambda event: threading.get_ident() == mine and events.append(event))
    try:
        yield events
    finally:
        audit_listeners.pop()


audit_listeners = []
sys.addaudithook(lambda event, _: [listener(event) for listener in audit_listeners])


@pytest.fixture(scope="module", autouse=True)
def _preload_error_modules():
    """Whatever is imported only to word a refusal is imported before anybody listens."""
    for text in ("ö", "sinn(x)"):
        with pytest.raises(FormulaError):
            Formula(text)


@pytest.mark.parametrize("word", [Formula, Potential])
@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text[:40]))
def test_hostile_formula_is_refused_and_has_no_side_effects(text, word, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with audit_events() as events, pytest.raises(FormulaError) as refusal:
        word(text)
    assert set(events) <= {"compile"}  # so `ast` announces its parsing; running anything would be "exec"
    assert not list(tmp_path.iterdir())
    sentence = str(refusal.value)
    assert 1 <= refusal.value.column <= max(len(text), 1)
    assert len(sentence) < 400
    assert sentence[-1] in ".?"
    assert sentence.isprintable()
    assert refusal.value.__cause__ is None


def test_code_execution_would_be_audited():
    with audit_events() as events:
        exec("1 + 1")
    assert "exec" in events


def test_python_itself_normalizes_lookalike_letters():
    assert ast.unparse(ast.parse("ｅｖａｌ(𝑥)")) == "eval(x)"


def test_user_text_never_reaches_compiled_code():
    formula = Formula("(wicked * x, where(y > sneaky, vx, t), r**2.5) + evil * (1, 2, 3)", wicked=1, sneaky=2, evil=3)
    source = loop_source(formula.program, ("evil", "sneaky", "wicked"), True)
    names = set(re.findall(r"[A-Za-z_]\w*", source))
    known = {"def", "fill", "position", "velocity", "t", "parameters", "out", "len", "for", "in", "range"}
    assert {name for name in names if not re.fullmatch(r"s\d+", name)} <= known | {"i", "if", "else", "np", "sqrt"}


def test_compiled_code_has_no_builtins():
    assert load_loop("def fill(): pass").__globals__["__builtins__"] == {}
