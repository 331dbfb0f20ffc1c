// What a slide is made of, and how high it is: cells are taken apart into blocks (a paragraph, a list, a table, code, one
// output), which fit.js puts on slides. A block is measured by itself, on a bench as wide as its place on the slide.
const Blocks = (() => {
  const WIDTH = 1160, GAP = 16, TOP = {heading: 34, kicker: 66}, FOOT = 680, ALONE = {width: 1232, foot: 680};
  const LEAST = 18, LARGEST = 2.6, LARGE = 30, WIDER = 1.8;  // px of labels; how far a picture may be enlarged
  const ROWS = 430;                                      // px of a long table, of which a slide shows the beginning
  const slides = document.querySelector('.slides');
  const made = (name, className, ...children) => {
    const node = Object.assign(document.createElement(name), {className});
    node.append(...children);
    return node;
  };
  const pictures_in = node => [...node.querySelectorAll('svg[role="img"], .out img, p > img')];

  // -- what a slide is made of ------------------------------------------------------------------------------
  // A block is a paragraph, a list, a table, code, or one output; it knows whether it is a picture and what may divide it.
  function kind_of(node) {
    if (/^H[12]$/.test(node.tagName)) return 'heading';
    if (/^H\d$/.test(node.tagName)) return 'sub';
    if (node.matches('pre.code')) return 'code';
    if (node.querySelector('.bnteach-stage')) return 'stage';
    if (node.querySelector('.bnteach-quiz')) return 'quiz';
    if (pictures_in(node).length) return 'picture';
    if (node.querySelector('.bnteach-source pre, :scope > pre.text')) return 'lines';
    if (node.querySelector('table')) return 'rows';
    return node.matches('ul, ol') ? 'items' : 'text';
  }

  function block_of(node, cell, from) {
    const kind = kind_of(node), element = made('div', `block ${kind} ${cell.matches('.markdown') ? 'written' : 'computed'}`, node);
    return {element, kind, cell, from, group: Number(cell.dataset.group || 0), behind: [], heights: new Map(),
      flexible: kind === 'stage' || kind === 'picture', leads: kind === 'text' && /:\s*$/.test(node.textContent)};
  }

  function parts_of(block) {  // what may stand on different slides
    const node = block.element;
    if (block.kind === 'lines') return [...node.querySelectorAll('pre > .line')];
    if (block.kind === 'rows' && node.querySelectorAll('table').length === 1) return [...node.querySelectorAll('tbody > tr')];
    return block.kind === 'items' ? [...node.firstElementChild.children] : [];
  }

  // The cells of the deck as blocks, in runs that start with a heading.
  function runs() {
    const all = [];
    let waiting = [];  // code that gives nothing to look at, until there is a block to keep it
    [...slides.children].forEach((stack, s) => [...stack.children].forEach((section, v) => {
      const from = {first: v === 0, key: `${s}.${v}`, notes: section.querySelector('aside')};
      for (const cell of section.querySelectorAll('.cell')) {
        const nodes = [...cell.children].filter(node => !node.matches('template, details'));  // solutions are for readers
        waiting.push(...cell.querySelectorAll(':scope > template'));
        for (const node of nodes) {
          const block = block_of(node, cell, from);
          if (block.kind === 'heading' || !all.length) all.push([]);
          all.at(-1).push(block);
        }
        if (nodes.length) all.at(-1).at(-1).behind.push(...waiting.splice(0));
      }
    }));
    all.at(-1).at(-1).behind.push(...waiting);
    return all;
  }

  // -- how high things are ----------------------------------------------------------------------------------
  const bench = made('div', 'bench');

  function scale(block, size) {
    for (const one of pictures_in(block.element)) {
      one.dataset.width ||= parseFloat(one.getAttribute('width')) || one.naturalWidth || one.getBoundingClientRect().width;
      one.style.width = `${(one.dataset.width * size).toFixed(1)}px`;
      one.style.height = 'auto';
    }
  }

  function height_of(block, width = WIDTH, size = 1) {  // Infinity if a picture is wider than it may be
    const key = `${width} ${size}`;
    if (!block.heights.has(key)) {
      bench.style.width = `${width}px`;
      if (block.flexible) letters_of(block);
      bench.replaceChildren(block.element);
      if (block.flexible) scale(block, size);
      const cut = block.flexible ? pictures_in(block.element).some(one => one.checkVisibility()
        && one.getBoundingClientRect().width < one.dataset.width * size - 1.5) : squeezed(block, width) === false;
      block.heights.set(key, cut ? Infinity : block.element.offsetHeight);
    }
    return block.heights.get(key);
  }

  // Formulas are not broken: one that is too long for the slide becomes smaller. Wide tables come closer together.
  function squeezed(block, width) {
    for (const formula of block.element.querySelectorAll('math')) {
      const place = formula.closest('p, li, td, th, summary, blockquote, div').getBoundingClientRect();
      const part = place.width / (formula.firstElementChild.getBoundingClientRect().right - place.left);
      if (part < 1 && width < WIDTH) return false;
      if (part < 1) formula.style.fontSize = `${Math.max(LEAST / 26, 0.99 * part).toFixed(2)}em`;
    }
    const table = block.element.querySelector('table');
    if (table && table.offsetWidth > width) table.classList.add('many');
    return !table || width === WIDTH || table.offsetWidth <= width;
  }

  // Labels of a large picture are made larger than the picture was.
  function legible(block, size) {
    const factor = LEAST / (letters_of(block) * size);
    if (block.letters === 99 || factor <= 1) return;
    for (const text of block.element.querySelectorAll('svg[role="img"] text')) {
      const svg = text.closest('svg');
      const px = parseFloat(getComputedStyle(text).fontSize), scaled = svg.dataset.width * size / svg.viewBox.baseVal.width;
      if (px * scaled < LEAST) {
        text.style.fontSize = `${(LEAST / scaled).toFixed(2)}px`;
        widen(text, LEAST / scaled / px);
      }
      const room = text.parentNode.querySelector(':scope > rect')?.width.baseVal.value - 4;  // of a node, if it is one
      if (room && text.getComputedTextLength() > room) {
        text.setAttribute('textLength', room);
        text.setAttribute('lengthAdjust', 'spacingAndGlyphs');
      }
    }
  }

  function widen(text, factor) {  // the box of a node whose text is larger now; lines of the text go apart
    const box = text.parentNode.querySelector(':scope > rect'), by = Math.min(factor, WIDER);
    if (!box || !text.parentNode.matches('.bn-node')) return;
    const {x, y, width, height} = Object.fromEntries(['x', 'y', 'width', 'height'].map(name => [name, Number(box.getAttribute(name))]));
    const lines = text.parentNode.querySelectorAll('text').length, px = parseFloat(text.style.fontSize);
    const needed = 0.85 * text.getComputedTextLength() + 8;  // letters a little closer leave room for edges
    const wide = Math.min((box.was ??= width) * by, Math.max(width, needed));
    const high = Math.max(height, lines * px * 1.1 + 4);
    const grown = {x: x - (wide - width) / 2, y: y - (high - height) / 2, width: wide, height: high};
    for (const [name, value] of Object.entries(grown)) box.setAttribute(name, value);
    const middle = y + height / 2, baseline = 0.36 * px;
    const from = Number(text.getAttribute('y')) - 0.36 * px / factor - middle;
    text.setAttribute('y', middle + from * (lines > 1 ? factor : 1) + baseline);
  }

  function letters_of(block) {  // px of the smallest label of a picture of size 1
    if (block.letters) return block.letters;
    bench.replaceChildren(block.element);
    block.letters = Math.min(99, ...[...block.element.querySelectorAll('svg[role="img"] text')].map(text => {
      const svg = text.closest('svg');
      return parseFloat(getComputedStyle(text).fontSize) * parseFloat(svg.getAttribute('width')) / svg.viewBox.baseVal.width;
    }));
    for (const svg of block.element.querySelectorAll('svg[role="img"]')) {  // while it is measured, it need not be drawn
      svg.ink = document.createDocumentFragment();
      svg.ink.append(...svg.childNodes);
    }
    return block.letters;
  }

  function drawn(block) {
    for (const svg of block.element.querySelectorAll('svg[role="img"]')) if (svg.ink) svg.append(svg.ink);
    return block.element;
  }

  // The largest size at which these pictures fit into a height, all at the same size; 0 if there is none.
  function size_within(blocks, height, width) {
    const most = Math.min(LARGEST, ...blocks.map(block => Math.max(1.3, LARGE / letters_of(block))));
    const fits = size => blocks.reduce((sum, block) => sum + height_of(block, width, size), 0) <= height;
    let low = 0, high = Math.round(most * 20);
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (middle > 3 && fits(middle / 20)) low = middle; else if (middle <= 3) return 0; else high = middle - 1;
    }
    return low / 20;
  }

  // A table that needs more than a slide and a half is for readers: a slide shows how it begins.
  function shorten(block) {
    for (const table of block.element.querySelectorAll('table')) {
      const rows = [...table.querySelectorAll('tbody > tr')], top = table.getBoundingClientRect().top;
      if (table.offsetHeight < (block.kind === 'stage' ? ROWS : 1.5 * FOOT)) continue;
      const hidden = rows.filter(row => row.getBoundingClientRect().bottom - top > ROWS);
      hidden.forEach(row => row.remove());
      table.after(made('p', 'more', `… and ${hidden.length} more rows in the lesson`));
    }
  }

  function freeze(table) {  // a table that goes on keeps its columns
    const widths = [...table.rows[0].cells].map(cell => cell.getBoundingClientRect().width);
    [...table.rows].forEach(row => { if (row.cells.length === widths.length) widths.forEach((width, i) => { row.cells[i].style.width = `${width}px`; }); });
  }

  function thaw(element) {  // one that does not go on may be as wide as it likes
    for (const cell of element.querySelectorAll('table :is(td, th)')) cell.style.width = '';
  }

  return {WIDTH, GAP, TOP, FOOT, ALONE, slides, made, bench, block_of, parts_of, runs, scale, height_of, letters_of, legible, drawn,
    size_within, shorten, freeze, thaw};
})();
