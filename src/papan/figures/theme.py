"""Colours and their style sheets.

Every colour of a picture is a CSS custom property such as `--papan-square`; the light theme's
colour is the fallback. A page restyles all its pictures by setting the properties.

The colours of the two sides (vermilion and blue) are distinguishable with colour blindness; the
shapes of the pieces differ too. Games with a material of their own change some of the colours for
their boards (`papan.figures.palette`).
"""

from __future__ import annotations

from papan.figures.palette import PALETTE, look_colours

#: Property (without `--papan-`) → colour in the light theme.
LIGHT = {
    "ground": "#cdbfa6",
    "square": "#f1eadc",
    "square-alt": "#e8dfcd",
    "line": "#b5a689",
    "label": "#6b5f49",
    "text": "#2b2721",
    "x": "#c8492f",
    "x-edge": "#8c2c18",
    "o": "#2470a0",
    "o-edge": "#12486c",
    "sign-x": "#f1eadc",
    "sign-o": "#f1eadc",
    "neutral": "#6b5f49",
    "neutral-edge": "#2b2721",
    "home-x": "#f0cfc0",
    "home-o": "#c4dae6",
    "last": "#f5d98a",
    "accent": "#3d7a4a",
    "hint": "#8450a8",
    "layer-1": "#e6cfa3",
    "layer-2": "#f1e2c3",
    "layer-3": "#fdf7ea",
    "layer-side": "#9a7f52",
    "gone": "#8f8168",
    "paper": "#fdfcf9",
    "ink": "#2b2721",
    "faint": "#8b8477",
    "rule": "#d9d3c6",
    "max": "#fbeee6",
    "min": "#e6f0f6",
    "cut": "#a3241a",
    "best": "#3d7a4a",
    "series-0": "#0072b2",
    "series-1": "#d55e00",
    "series-2": "#009e73",
    "series-3": "#b2558a",
    "series-4": "#3a9bd0",
    "series-5": "#a87400",
    "value-win": "#2ba35f",
    "value-draw": "#d9a21b",
    "value-loss": "#d2503c",
}

DARK = {
    "ground": "#1f2328",
    "square": "#3a4048",
    "square-alt": "#333940",
    "line": "#515963",
    "label": "#a9b1bb",
    "text": "#e9e6df",
    "x": "#f0785a",
    "x-edge": "#ffb8a3",
    "o": "#5fb0e4",
    "o-edge": "#b7dcf5",
    "sign-x": "#3a4048",
    "sign-o": "#3a4048",
    "neutral": "#a9b1bb",
    "neutral-edge": "#e9e6df",
    "home-x": "#573a35",
    "home-o": "#2f4a5c",
    "last": "#6d5c26",
    "accent": "#7fcf92",
    "hint": "#cf9bf0",
    "layer-1": "#4a4438",
    "layer-2": "#625b4c",
    "layer-3": "#7a7262",
    "layer-side": "#26231d",
    "gone": "#15181b",
    "paper": "#16191d",
    "ink": "#e9e6df",
    "faint": "#949ba4",
    "rule": "#363c44",
    "max": "#3a2a25",
    "min": "#22323d",
    "cut": "#ff8f80",
    "best": "#7fcf92",
    "series-0": "#5aaee3",
    "series-1": "#ff9a5c",
    "series-2": "#3fcf9f",
    "series-3": "#e8a3c8",
    "series-4": "#9ad4f5",
    "series-5": "#f0b840",
    "value-win": "#2ba35f",
    "value-draw": "#d9a21b",
    "value-loss": "#d2503c",
}

CONTRAST = {
    "ground": "#000000",
    "square": "#ffffff",
    "square-alt": "#ffffff",
    "line": "#000000",
    "label": "#ffffff",
    "text": "#000000",
    "x": "#b3001b",
    "x-edge": "#000000",
    "o": "#0033cc",
    "o-edge": "#000000",
    "sign-x": "#ffffff",
    "sign-o": "#ffffff",
    "neutral": "#ffffff",
    "neutral-edge": "#000000",
    "home-x": "#ffe0d6",
    "home-o": "#d6e6ff",
    "last": "#ffe600",
    "accent": "#006b1f",
    "hint": "#7a00b8",
    "layer-1": "#d0d0d0",
    "layer-2": "#e8e8e8",
    "layer-3": "#ffffff",
    "layer-side": "#000000",
    "gone": "#8c8c8c",
    "paper": "#ffffff",
    "ink": "#000000",
    "faint": "#333333",
    "rule": "#000000",
    "max": "#ffe9df",
    "min": "#dcebff",
    "cut": "#b3001b",
    "best": "#006b1f",
    "series-0": "#0050a0",
    "series-1": "#a83200",
    "series-2": "#006b4a",
    "series-3": "#8a1f63",
    "series-4": "#005f7a",
    "series-5": "#6b4a00",
    "value-win": "#2ba35f",
    "value-draw": "#d9a21b",
    "value-loss": "#d2503c",
}

THEMES = {"light": LIGHT, "dark": DARK, "contrast": CONTRAST}

FONT = 'system-ui, "Helvetica Neue", Arial, "DejaVu Sans", sans-serif'


def colour(name: str) -> str:
    """Returns the CSS value of a colour: its property, with the light theme's colour as
    fallback."""
    return f"var(--papan-{name}, {LIGHT[name]})"


def theme_rules(theme: str, selector: str = ":root") -> str:
    """Returns a style rule that sets every property to a theme's colour."""
    settings = "".join(f"--papan-{name}:{value};" for name, value in THEMES[theme].items())
    return f"{selector}{{{settings}}}"


def look_rules(theme: str, look: str, selector: str = "") -> str:
    """Returns a style rule that sets the colours of a look in a theme; empty for a plain look.

    Args:
        theme: one of `THEMES`.
        look: one of `PALETTE`.
        selector: selector of an element around the board; by default any.
    """
    colours = look_colours(look, list(THEMES).index(theme))
    settings = "".join(f"--papan-{name}:{value};" for name, value in colours.items())
    return f"{selector} .papan-board.look-{look}{{{settings}}}".lstrip() if settings else ""


def all_look_rules(theme: str, selector: str = "") -> str:
    """Returns the rules of all looks in a theme, for a page with boards of many games."""
    return "".join(look_rules(theme, look, selector) for look in PALETTE)


def filled_in(rules: str) -> str:
    """Returns rules with `$square` replaced by the value of the colour `square`, and so on."""
    for name in sorted(LIGHT, key=len, reverse=True):
        rules = rules.replace(f"${name}", colour(name))
    return rules.replace("$FONT", FONT)


BOARD_RULES = filled_in("""
.papan-board{font-family:$FONT}
.papan-board .ground{fill:$ground}
.papan-board .label{fill:$label;font-size:15px;text-anchor:middle;pointer-events:none}
.papan-board .tile{fill:$square;stroke:$line;stroke-width:1}
.papan-board .alt .tile{fill:$square-alt}
.papan-board .home-x .tile{fill:$home-x}
.papan-board .home-o .tile{fill:$home-o}
.papan-board .gone .tile{fill:$gone;stroke:$line;stroke-dasharray:4 4}
.papan-board .gone.last .tile{fill:$gone;stroke:$last;stroke-width:3}
.papan-board .layer{fill:$layer-1;stroke:$layer-side;stroke-width:1.5}
.papan-board .steps-2 .layer{fill:$layer-2}
.papan-board .steps-3 .layer{fill:$layer-3}
.papan-board.look-walls .slot{fill:none}
.papan-board .last .tile,.papan-board .last .layer{fill:$last}
.papan-board .steps{fill:$text;font-size:14px;font-weight:600;text-anchor:end}
.papan-board .count{fill:$text;font-size:22px;font-weight:600;text-anchor:middle}
.papan-board .seeds{fill:$text;font-size:12px;font-weight:600;text-anchor:middle}
.papan-board .line{stroke:$label;stroke-width:3;fill:none}
.papan-board .own{stroke-width:12;stroke-linejoin:round;fill:none}
.papan-board .own.x{stroke:$x}
.papan-board .own.o{stroke:$o;stroke-dasharray:14 5}
.papan-board .point>.tile{fill:$label;stroke:$label}
.papan-board .point.last>.tile{fill:$last;stroke:$label;stroke-width:3}
.papan-board .point>.seat{fill:$ground;stroke:none}
.papan-board .point.last>.seat{fill:$last;stroke:$last;stroke-width:6}
.papan-board .grid{stroke:$line;stroke-width:1.5;stroke-linecap:square;fill:none}
.papan-board .star{fill:$line}
.papan-board .crossing>.tile{fill:none;stroke:none}
.papan-board .crossing.last>.tile{fill:$last}
.papan-board .hole>.tile{stroke-width:2}
.papan-board .slot,.papan-board .box>.tile{stroke:none}
.papan-board .knot{fill:$label}
.papan-board .card>.tile{stroke-dasharray:3 3}
.papan-board .sign{fill:$square;font-size:20px;font-weight:700;text-anchor:middle}
.papan-board .x .sign{fill:$sign-x}
.papan-board .o .sign{fill:$sign-o}
.papan-board .piece.neutral .body{fill:$neutral;stroke:$neutral-edge}
.papan-board .groove{fill:none;stroke-width:1.5;opacity:.6}
.papan-board .piece.x .groove{stroke:$x-edge}
.papan-board .piece.o .groove{stroke:$o-edge}
.papan-board .shade{fill:#000;fill-opacity:.22}
.papan-board .face{fill:#fff;fill-opacity:.2}
.papan-board .hollow{fill:#000;fill-opacity:.75}
.papan-board .o .facing,.flipped .x .facing{transform:rotate(180deg)}
.flipped .papan-board .o .facing,.papan-board.flipped .o .facing{transform:none}
.papan-board .body{stroke-width:2;stroke-linejoin:round}
.papan-board .piece.x .body{fill:$x;stroke:$x-edge}
.papan-board .piece.o .body{fill:$o;stroke:$o-edge}
.papan-board .dot{fill:$accent;opacity:.75}
.papan-board .target .piece~.dot{fill:none;stroke:$accent;stroke-width:4}
.papan-board .frame{fill:none;stroke:none;stroke-width:4}
.papan-board .selected .frame{stroke:$accent}
.papan-board .flip .frame{stroke:$accent;stroke-dasharray:7 5;stroke-width:3}
.papan-board .hint .frame{stroke:$hint;stroke-dasharray:2 6;stroke-linecap:round}
.papan-board .turned.x{fill:$x;stroke:$square;stroke-width:2}
.papan-board .turned.o{fill:$o;stroke:$square;stroke-width:2}
""").strip()

# Separate, because boards at the nodes of trees have no arrows or winning lines.
ARROW_RULES = filled_in("""
.papan-board .arrow{opacity:.8}
.papan-board .arrow .shaft{stroke:$hint;stroke-width:7;stroke-linecap:round;fill:none}
.papan-board .arrow .head{fill:$hint}
.papan-board .won .frame{stroke:$accent;stroke-width:6}
.papan-board .choice{stroke:$hint;stroke-width:6;fill:none}
""").strip()

# A box is paper with a colour on top, which is stronger for a nearer end of the game. The text
# in the box has the same information.
VALUE_RULES = filled_in("""
.papan-board .under{fill:$paper}
.papan-board .worth rect{fill:none;stroke:$faint;stroke-width:1.5}
.papan-board .worth text{fill:$ink;font-size:14px;font-weight:700;text-anchor:middle}
.papan-board .worth.win rect{fill:$value-win;stroke:$value-win}
.papan-board .worth.draw rect{fill:$value-draw;stroke:$value-draw}
.papan-board .worth.loss rect{fill:$value-loss;stroke:$value-loss}
.papan-board .worth.shade-1 rect{fill-opacity:.62}
.papan-board .worth.shade-2 rect{fill-opacity:.5}
.papan-board .worth.shade-3 rect{fill-opacity:.38}
.papan-board .worth.shade-4 rect{fill-opacity:.26}
.papan-board .worth.shade-5 rect{fill-opacity:.14}
.papan-board .worth.best rect{stroke:$ink;stroke-width:3}
""").strip()

_SERIES = "".join(f".papan-chart .s{n}{{color:$series-{n}}}\n" for n in range(6))

CHART_RULES = filled_in(f"""
.papan-chart{{font-family:$FONT;font-size:12px}}
.papan-chart .paper{{fill:$paper}}
.papan-chart text{{fill:$ink}}
.papan-chart .heading{{font-size:14px;font-weight:600}}
.papan-chart .middle{{text-anchor:middle}}
.papan-chart .end{{text-anchor:end}}
.papan-chart .quiet{{fill:$faint}}
.papan-chart .grid{{stroke:$rule;stroke-width:1;fill:none}}
.papan-chart .axis{{stroke:$faint;stroke-width:1;fill:none}}
.papan-chart .line{{stroke:currentColor;stroke-width:2;fill:none;stroke-linejoin:round}}
.papan-chart .bar{{stroke:currentColor;stroke-width:1.5;fill:none;opacity:.6}}
.papan-chart .marker{{fill:currentColor}}
.papan-chart .for-x{{fill:$x;opacity:.35}}
.papan-chart .for-o{{fill:$o;opacity:.35}}
.papan-chart .value{{stroke:$ink;stroke-width:2;fill:none;stroke-linejoin:round}}
.papan-chart .here{{stroke:$ink;stroke-width:1.5;stroke-dasharray:3 3;fill:none}}
.papan-chart .column{{fill:transparent}}
.papan-chart .turning{{fill:$paper;stroke:$ink;stroke-width:2}}
{_SERIES}""").strip()

TREE_RULES = filled_in("""
.papan-tree{font-family:$FONT;font-size:11px}
.papan-tree .paper{fill:$paper}
.papan-tree text{fill:$ink;text-anchor:middle}
.papan-tree .start{text-anchor:start}
.papan-tree .heading{font-size:16px;font-weight:600;text-anchor:start}
.papan-tree .fact{font-size:12px;fill:$faint;text-anchor:start}
.papan-tree .band{fill:none;stroke:$rule;stroke-width:1}
.papan-tree .band.max,.papan-tree .band.min{stroke:none}
.papan-tree .band.max{fill:$max}
.papan-tree .band.min{fill:$min}
.papan-tree .side{font-size:12px;font-weight:700;letter-spacing:.08em;text-anchor:start}
.papan-tree .side.max{fill:$x-edge}
.papan-tree .side.min{fill:$o-edge}
.papan-tree .edge{stroke:$faint;stroke-width:1.3;fill:none}
.papan-tree .edge.best{stroke:$best;stroke-width:3}
.papan-tree .edge.cut{stroke:$cut;stroke-width:1.5;stroke-dasharray:4 4}
.papan-tree .edge.more{stroke-dasharray:1 4;stroke-linecap:round}
.papan-tree .move{font-size:12px;font-weight:600;paint-order:stroke;stroke:$paper;stroke-width:4px}
.papan-tree .window,.papan-tree .note{fill:$faint;font-size:10px}
.papan-tree .shape{fill:$paper;stroke:$ink;stroke-width:1.5}
.papan-tree .pill{fill:$paper;stroke:$faint;stroke-width:1}
.papan-tree .value{font-size:13px;font-weight:600}
.papan-tree .best>.pill,.papan-tree .best>.shape{stroke:$best;stroke-width:3}
.papan-tree .best>.value{fill:$best}
.papan-tree .outline{fill:none;stroke:none;stroke-width:2.5}
.papan-tree .table>.outline{stroke:$hint;stroke-dasharray:5 3}
.papan-tree .over>.outline{stroke:$ink}
.papan-tree .table>.note{fill:$hint;font-weight:600}
.papan-tree .pruned>.note{fill:$cut;font-weight:600}
.papan-tree .cut>.cross{stroke:$cut;stroke-width:3;stroke-linecap:round;fill:none}
.papan-tree .cut>.note,.papan-tree .cut>.move{fill:$cut}
.papan-tree .bundle{fill:$paper;stroke:$faint;stroke-width:1.2;stroke-dasharray:3 3}
.papan-tree .later{opacity:.12}
.papan-tree.running .edge.best{stroke:$faint;stroke-width:1.3}
.papan-tree.running .best>.pill,.papan-tree.running .best>.shape{stroke:$faint;stroke-width:1}
.papan-tree.running .best>.value{fill:$ink}
.papan-tree .open>.pill,.papan-tree .open>.value,.papan-tree .open>.note{visibility:hidden}
.papan-tree .now>.outline{stroke:$accent;stroke-dasharray:none;stroke-width:4}
""").strip()


def board_rules(theme: str = "light", look: str = "plain") -> str:
    """Returns the style sheet of boards, with the colours of a look in a theme."""
    return f"{BOARD_RULES}\n{ARROW_RULES}\n{look_rules(theme, look)}".rstrip()


def value_rules(theme: str = "light", look: str = "plain") -> str:
    """Returns the style sheet of boards with values of moves."""
    return f"{board_rules(theme, look)}\n{VALUE_RULES}"


def chart_rules() -> str:
    """Returns the style sheet of charts."""
    return CHART_RULES


def tree_rules(theme: str = "light", look: str = "plain") -> str:
    """Returns the style sheet of trees, including the boards at their nodes."""
    return f"{BOARD_RULES}\n{TREE_RULES}\n{look_rules(theme, look)}".rstrip()
