"""How do all pictures look? Two palettes that colour-blind people can tell apart: for paper, and for dark screens."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

from keypose.errors import KeyposeError, did_you_mean, short_repr

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Theme = Literal["light", "dark"]


@dataclass(frozen=True)
class Palette:
    """Colours by what they mean. After Okabe and Ito; those that share a panel differ to colour-blind eyes too."""

    paper: str
    panel: str
    ink: str
    quiet: str
    faint: str
    path: str
    key: str
    arrive: str
    leave: str
    speed: str
    other: str


LIGHT = Palette(
    paper="#ffffff",
    panel="#ffffff",
    ink="#1c1d22",
    quiet="#5d606b",
    faint="#d3d5dc",
    path="#0072b2",
    key="#d55e00",
    arrive="#c65c8c",
    leave="#006843",
    speed="#734500",
    other="#6a5acd",
)
DARK = Palette(
    paper="#14161b",
    panel="#1a1d24",
    ink="#eceef4",
    quiet="#a2a7b5",
    faint="#3a3f4c",
    path="#56b4e9",
    key="#ff9d47",
    arrive="#cf68a5",
    leave="#3fd0a3",
    speed="#faea45",
    other="#8f86f0",
)
PALETTES = {"light": LIGHT, "dark": DARK}

FONT = "DejaVu Sans"  # it comes with matplotlib
FALLBACK_FONTS = (  # for letters that it has not, where one of these is on the machine
    "Noto Sans CJK JP",
    "Noto Sans CJK SC",
    "Noto Sans JP",
    "Noto Sans SC",
    "Source Han Sans",
    "Hiragino Sans",
    "PingFang SC",
    "Yu Gothic",
    "Microsoft YaHei",
    "Meiryo",
    "MS Gothic",
    "SimHei",
    "WenQuanYi Micro Hei",
    "WenQuanYi Zen Hei",
    "IPAGothic",
    "Arial Unicode MS",
    "Unifont",
)

# The same bytes twice, on every machine: glyphs as outlines, ids from a fixed salt, a font that comes with matplotlib.
SETTINGS: Any = {
    "font.size": 9.0,
    "svg.fonttype": "path",
    "svg.hashsalt": "keypose",
    "pdf.compression": 6,
    "pdf.fonttype": 42,
    "path.simplify": False,
    "axes.unicode_minus": True,
    "axes.formatter.limits": (-3, 4),  # centimetres are written as metres
    "lines.solid_capstyle": "round",
}


@cache
def font_families() -> tuple[str, ...]:
    """Our font, and one for letters that it has not, if there is one."""
    from matplotlib.font_manager import fontManager

    installed = set(fontManager.get_font_names())
    return FONT, *[family for family in FALLBACK_FONTS if family in installed][:1]


@contextmanager
def settings() -> Iterator[None]:
    """Draw with our settings, whatever matplotlib was told before; afterwards it is as it was."""
    try:
        import matplotlib as mpl
    except ModuleNotFoundError as error:
        raise KeyposeError("Pictures need matplotlib. Install it with: pip install 'keypose[plot]'.") from error

    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(SETTINGS | {"font.family": font_families()})
        yield


def theme_palette(theme: str) -> Palette:
    """The palette of a theme by name."""
    if not isinstance(theme, str) or theme not in PALETTES:
        suggestion = did_you_mean(theme if isinstance(theme, str) else "", PALETTES)
        raise KeyposeError(f"There is no theme {short_repr(theme)}.{suggestion}")
    return PALETTES[theme]


def new_figure(width: float, height: float, palette: Palette) -> "Figure":
    """An empty figure [inches], apart from pyplot's global state."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), facecolor=palette.paper)
    FigureCanvasAgg(figure)  # labels are measured with it
    return figure


def set_up_space_axes(ax: "Axes", palette: Palette) -> None:
    """No frame, no ticks: space itself, at the same scale in both directions."""
    ax.set_aspect("equal", adjustable="datalim")
    ax.set_facecolor(palette.paper)
    ax.set_xticks([])
    ax.set_yticks([])
    for spine in ax.spines.values():
        spine.set_visible(False)


def set_up_diagram_axes(ax: "Axes", palette: Palette, title: str, x_label: str, y_label: str) -> None:
    """A small diagram: title above, two quiet axes, a light grid."""
    ax.set_facecolor(palette.paper)
    ax.set_title(title, loc="left", fontsize=9, color=palette.ink, pad=6)
    ax.set_xlabel(x_label, fontsize=7.5, color=palette.quiet, labelpad=2)
    ax.set_ylabel(y_label, fontsize=7.5, color=palette.quiet, labelpad=3)
    ax.tick_params(labelsize=7, colors=palette.quiet, length=2.5, width=0.6, color=palette.quiet)
    for axis in (ax.xaxis, ax.yaxis):
        axis.get_offset_text().set(fontsize=7, color=palette.quiet)
    ax.grid(color=palette.faint, linewidth=0.5)
    ax.set_axisbelow(True)
    for side, spine in ax.spines.items():
        spine.set_visible(side in ("left", "bottom"))
        spine.set_color(palette.quiet)
        spine.set_linewidth(0.6)
