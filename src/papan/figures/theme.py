"""Colours and their style sheets.

Every colour of a picture is a CSS custom property such as `--papan-square`; the light theme's
colour is the fallback. A page restyles all its pictures by setting the properties.

The colours of the two sides (vermilion and blue) are distinguishable with colour blindness; the
shapes of the pieces differ too. Games with a material of their own change some of the colours for
their boards (`papan.figures.palette`).
"""

from __future__ import annotations

from papan.figures.palette import PALETTE, look_colours

#: Property (without `--papan-`) → its colours: `light dark contrast`.
COLOURS = {
    "ground": "#cdbfa6 #1f2328 #000000",
    "square": "#f1eadc #3a4048 #ffffff",
    "square-alt": "#e8dfcd #333940 #ffffff",
    "line": "#b5a689 #515963 #000000",
    "label": "#6b5f49 #a9b1bb #ffffff",
    "text": "#2b2721 #e9e6df #000000",
    "x": "#c8492f #f0785a #b3001b",
    "x-edge": "#8c2c18 #ffb8a3 #000000",
    "o": "#2470a0 #5fb0e4 #0033cc",
    "o-edge": "#12486c #b7dcf5 #000000",
    "sign-x": "#f1eadc #3a4048 #ffffff",
    "sign-o": "#f1eadc #3a4048 #ffffff",
    "neutral": "#6b5f49 #a9b1bb #ffffff",
    "neutral-edge": "#2b2721 #e9e6df #000000",
    "home-x": "#f0cfc0 #573a35 #ffe0d6",
    "home-o": "#c4dae6 #2f4a5c #d6e6ff",
    "last": "#f5d98a #6d5c26 #ffe600",
    "accent": "#3d7a4a #7fcf92 #006b1f",
    "hint": "#8450a8 #cf9bf0 #7a00b8",
    "layer-1": "#e6cfa3 #4a4438 #d0d0d0",
    "layer-2": "#f1e2c3 #625b4c #e8e8e8",
    "layer-3": "#fdf7ea #7a7262 #ffffff",
    "layer-side": "#9a7f52 #26231d #000000",
    "gone": "#8f8168 #15181b #8c8c8c",
    "paper": "#fdfcf9 #16191d #ffffff",
    "ink": "#2b2721 #e9e6df #000000",
    "faint": "#8b8477 #949ba4 #333333",
    "rule": "#d9d3c6 #363c44 #000000",
    "max": "#fbeee6 #3a2a25 #ffe9df",
    "min": "#e6f0f6 #22323d #dcebff",
    "cut": "#a3241a #ff8f80 #b3001b",
    "best": "#3d7a4a #7fcf92 #006b1f",
    "series-0": "#0072b2 #5aaee3 #0050a0",
    "series-1": "#d55e00 #ff9a5c #a83200",
    "series-2": "#009e73 #3fcf9f #006b4a",
    "series-3": "#b2558a #e8a3c8 #8a1f63",
    "series-4": "#3a9bd0 #9ad4f5 #005f7a",
    "series-5": "#a87400 #f0b840 #6b4a00",
    "value-win": "#2ba35f #2ba35f #2ba35f",
    "value-draw": "#d9a21b #d9a21b #d9a21b",
    "value-loss": "#d2503c #d2503c #d2503c",
}

THEMES = {
    theme: {name: values.split()[place] for name, values in COLOURS.items()}
    for place, theme in enumerate(("light", "dark", "contrast"))
}
LIGHT = THEMES["light"]

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
