"""What cannot be read on a page: every text whose contrast with what is behind it is below 4.5."""

from __future__ import annotations

from typing import Any

LEAST = 4.5
# Every text that is shown inside the selector: HTML, and text in SVG, which axe-core does not measure. Behind a text
# are the backgrounds of its ancestors, or in a graph the box of its node, or the rim that keeps a label off its edge.
MEASURE = """([where, least]) => {
  const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
  const known = new Map();
  const rgba = colour => {
    if (known.has(colour)) return known.get(colour);
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = '#000';
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    known.set(colour, [r, g, b, a / 255]);
    return known.get(colour);
  };
  const over = ([r, g, b, a], below) => [r, g, b].map((part, i) => part * a + below[i] * (1 - a));
  const light = colour => {
    const [r, g, b] = colour.map(p => p / 255).map(p => p <= .04045 ? p / 12.92 : ((p + .055) / 1.055) ** 2.4);
    return .2126 * r + .7152 * g + .0722 * b;
  };
  const contrast = (one, other) => {
    const [dark, bright] = [light(one), light(other)].sort((a, b) => a - b);
    return (bright + .05) / (dark + .05);
  };
  const behind = element => {
    const layers = [];
    for (let e = element; e; e = e.parentElement) layers.push(rgba(getComputedStyle(e).backgroundColor));
    return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255]);
  };
  const seen = element => element.checkVisibility({checkOpacity: true, checkVisibilityCSS: true})
    && element.getClientRects().length > 0;
  const measured = element => {
    const style = getComputedStyle(element), ground = behind(element);
    if (!(element instanceof SVGElement)) return [rgba(style.color), ground];
    const box = element.closest('.bn-node')?.querySelector('rect');
    const rim = style.paintOrder.includes('stroke') && style.stroke !== 'none' ? style.stroke : null;
    const below = box ? getComputedStyle(box).fill : rim;
    return [rgba(style.fill), below ? over(rgba(below), ground) : ground];
  };
  const found = [];
  let texts = 0;
  for (const root of document.querySelectorAll(where)) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      if (!node.data.trim() || element.closest('script, style, title, mjx-assistive-mml') || !seen(element)) continue;
      const [ink, ground] = measured(element), ratio = contrast(over(ink, ground), ground);
      texts++;
      if (ratio < least) found.push(`${ratio.toFixed(2)}: ${node.data.trim().slice(0, 60)} <${element.tagName}>`);
    }
  }
  return [texts, [...new Set(found)]];
}"""


def unreadable(page: Any, where: str, least: float = LEAST) -> tuple[int, list[str]]:
    """How many texts there are inside a selector, and those that cannot be read."""
    texts, found = page.evaluate(MEASURE, [where, least])
    return texts, found
