// Every slide is made to fit, before reveal.js starts: what does not fit becomes a little smaller or goes on below, and a
// slide with little on it is set in larger letters. Only the browser knows how tall things are, so it is done there.
(() => {
  const HEIGHT = 720, A_LITTLE = 0.85, SMALL = 0.7, PICTURE = 0.7, SMALLEST = 0.4, NARROW = 480;
  const FORMULA = 0.6, LISTING = 0.75;
  const FOOT = 660, LARGER = [1.3, 1.22, 1.14, 1.07];  // a short slide is enlarged, but not down to the slide's edge
  const SENTENCE = 1.45, SHORT = 420;                  // a slide of one sentence more so; it stands in the middle
  const A_WORD = 24;                                   // strings of code that are not longer are not broken
  const MANY = {line: 18, row: 10}, FEW = {line: 4, row: 2, listing: 6};  // to go on below, and to be begun on a slide that is not empty
  const reveal = document.querySelector('.reveal');

  // -- fitting ----------------------------------------------------------------------------------------------
  const tall = sheet => sheet.scrollHeight > HEIGHT + 1;
  const scrolling = sheet => [...sheet.querySelectorAll('.out, .out pre, .cell > pre, .out [style*="overflow:auto"]')]
    .filter(box => box.clientWidth && box.scrollWidth > box.clientWidth);
  const block_of = formula => formula.closest('p, li, td, th, summary, blockquote, div').getBoundingClientRect();
  const width_of = formula => formula.firstElementChild.getBoundingClientRect();
  const sticking_out = node => [...node.querySelectorAll('math')]
    .filter(formula => formula.checkVisibility() && width_of(formula).right > block_of(formula).right + 1);
  const wide = sheet => scrolling(sheet).length > 0 || sticking_out(sheet).length > 0;
  const fits = sheet => !tall(sheet) && !wide(sheet);
  const bottom = sheet => sheet.lastElementChild.offsetTop + sheet.lastElementChild.offsetHeight;

  function zoomed(cell, size) {  // the outputs of a cell, or all of it, at a part of their usual size
    const outs = cell.querySelectorAll(':scope > .out');
    for (const part of outs.length ? outs : [cell]) part.style.zoom = size ? ((outs.length ? 1.45 : 1) * size).toFixed(3) : '';
  }

  function shrink(cell, sheet, least) {
    for (let size = 0.97; size >= least - 0.001; size -= 0.03) {
      zoomed(cell, size);
      if (fits(sheet)) return true;
    }
    zoomed(cell, 0);
    return false;
  }

  function squeeze(cell) {  // formulas are not broken: one that is too long becomes smaller
    for (const formula of sticking_out(cell)) {
      const part = block_of(formula).width / width_of(formula).width;
      formula.style.fontSize = `${Math.max(FORMULA, 0.99 * part).toFixed(2)}em`;
    }
  }

  function wrap(cell, sheet) {  // lines so long that they would have to be small are broken instead
    zoomed(cell, A_LITTLE);
    for (const text of cell.querySelectorAll('pre')) {
      if (text.scrollWidth > text.clientWidth + 2) text.classList.add('wraps');
    }
    zoomed(cell, 0);
    return fits(sheet);
  }

  function another(sheet, title) {
    const section = document.createElement('section');
    const next = document.createElement('div');
    next.className = 'sheet';
    section.append(next);
    sheet.parentNode.classList.remove('now');
    section.className = 'now';
    sheet.parentNode.after(section);
    name(next, title);
    return next;
  }

  function name(sheet, title) {  // above a slide without a heading, the heading that it goes on from
    if (title) sheet.prepend(Object.assign(document.createElement('p'), {className: 'kicker', textContent: title}));
  }

  // What a cell is made of, if it may go on below: several outputs, lines of text, rows of a table, paragraphs.
  function units(cell) {
    const outs = [...cell.querySelectorAll(':scope > .out')];
    if (cell.querySelector('.bnteach-stage, .bnteach-practice')) return ['stage', []];  // a player, a knob, and below a claim, stay whole
    if (outs.length > 1) return ['out', outs];
    const text = cell.querySelector(':scope > .out > pre.text:only-child');
    if (text && !text.firstElementChild) {
      const lines = text.textContent.split('\n').map(line => Object.assign(document.createElement('div'), {textContent: line || ' '}));
      text.replaceChildren(...lines);
    }
    if (text) return ['line', [...text.children]];
    const listing = cell.querySelector(':scope > .out > .bnteach-source pre');
    if (listing) return ['listing', [...listing.children]];
    const rows = outs.length ? [...outs[0].querySelectorAll('tbody > tr:not(.bnteach-claim *)')] : [];
    if (rows.length && outs[0].querySelectorAll('table').length === 1) return ['row', rows];
    const pictures = outs.length ? [...outs[0].querySelectorAll('.bnteach-row > *')] : [];
    return outs.length ? ['picture', pictures] : ['paragraph', [...cell.children]];
  }

  // Leave as many units here as fit, and return a cell with the rest; or leave everything, and return nothing.
  function fill(cell, sheet, alone) {
    const [kind, all] = units(cell);
    if (all.length < 2 || (!alone && !(all.length > MANY[kind]))) return null;
    for (const unit of all.slice(1)) unit.style.display = 'none';
    if (kind === 'row') zoomed(cell, SMALL);
    if (kind === 'picture') shrink(cell, sheet, SMALLEST);
    let here = 0;
    while (here < all.length) {
      all[here].style.display = '';
      if (!fits(sheet)) break;
      here++;
    }
    for (const unit of all) unit.style.display = '';
    while (here > 0 && /^H\d$/.test(all[here - 1].tagName)) here--;
    if (FEW[kind]) here = Math.min(here, Math.max(1, all.length - FEW[kind]));  // nor is a line left alone below
    if (here === all.length || here < (alone ? 1 : FEW[kind])) {
      zoomed(cell, 0);
      return null;
    }
    const rest = cell.cloneNode(true);
    const copies = units(rest)[1];
    copies.slice(0, here).forEach(unit => unit.remove());
    all.slice(here).forEach(unit => unit.remove());
    rest.querySelector(':scope > pre.code')?.remove();
    return rest;
  }

  // The code on one slide, what it gave on the next. If there is room on the slide before, the code goes there.
  function apart(cell, before) {
    const code = cell.cloneNode(false);
    code.append(cell.firstElementChild);
    return before && added(code, before) ? [cell] : [code, cell];
  }

  function added(cell, sheet) {
    if (sheet.classList.contains('title')) return false;
    sheet.parentNode.classList.add('now');
    sheet.style.removeProperty('--larger');
    sheet.classList.remove('short');
    sheet.append(cell);
    const good = fits(sheet);
    if (!good) cell.remove();
    enlarge(sheet);
    sheet.parentNode.classList.remove('now');
    return good;
  }

  // A cell of prose that comes to a new heading is two.
  function at_headings(cell) {
    const pieces = [cell];
    for (const child of [...cell.children].slice(1)) {
      if (/^H[12]$/.test(child.tagName)) pieces.push(cell.cloneNode(false));
      if (pieces.length > 1) pieces.at(-1).append(child);
    }
    return pieces;
  }

  const by_itself = sheet => sheet.querySelectorAll('.cell > *').length === 1
    && sheet.querySelector('.cell > .out:has(.bnteach-picture, .bnteach-gallery):not(:has(.bnteach-stage))') !== null;
  const empty = sheet => !sheet.querySelector('.cell');

  // A picture by itself that had to become smaller gets the whole screen, without a frame.
  function full_screen(sheet) {
    const parts = [sheet.parentNode.parentNode, sheet.parentNode];
    parts.forEach(one => one.classList.add('now'));
    sheet.classList.add('full');
    shrink(sheet.querySelector('.cell'), sheet, SMALLEST);
    parts.forEach(one => one.classList.remove('now'));
  }

  let title = '';

  // Only the slide in hand is laid out, or a long deck would take seconds to open.
  function lay_one(sheet) {
    const stack = sheet.parentNode.parentNode;
    stack.classList.add('now');
    sheet.parentNode.classList.add('now');
    lay(sheet);
    for (const one of [stack, ...stack.children]) one.classList.remove('now');
  }

  // How small a cell may become: by itself or below a short paragraph smaller than below a full sheet.
  function least(cell, room) {
    if (room < HEIGHT / 2 || cell.querySelectorAll(':scope > .out').length > 1) return A_LITTLE;
    if (cell.querySelector('.bnteach-source')) return LISTING;
    return cell.querySelector('.out svg, .out img') ? PICTURE : SMALL;
  }

  const heading_only = sheet => sheet.children.length === 1 && sheet.querySelector('.cell > :only-child:is(h2, h3)') !== null;
  const starts_anew = cell => /^H[12]$/.test(cell.firstElementChild?.tagName || '');

  function lay(sheet) {
    let before = null;
    const waiting = [...sheet.children].flatMap(at_headings);
    sheet.replaceChildren();
    if (waiting.length && !starts_anew(waiting[0])) name(sheet, title);
    while (waiting.length) {
      const cell = waiting.shift(), alone = empty(sheet);
      const room = alone ? HEIGHT : HEIGHT - bottom(sheet);
      if (alone || !(starts_anew(cell) || sheet.classList.contains('title'))) {
        sheet.append(cell);
        squeeze(cell);
        if (fits(sheet) || wrap(cell, sheet) || shrink(cell, sheet, least(cell, room))) {
          title = cell.querySelector('h1, h2')?.textContent || title;
          continue;
        }
        const rest = fill(cell, sheet, alone);
        if (rest) {
          waiting.unshift(rest);
          before = null;
          sheet = another(sheet, title);
          continue;
        }
        cell.remove();
      }
      if (!alone && heading_only(sheet)) {  // a heading alone says too little: it becomes the line above
        sheet.querySelector('.cell').remove();
        name(sheet, title);
        waiting.unshift(cell);
      } else if (!alone) {
        waiting.unshift(cell);
        enlarge(sheet);
        before = sheet;
        sheet = another(sheet, starts_anew(cell) ? '' : title);
      } else if (cell.children.length > 1) {
        waiting.unshift(...apart(cell, before));
        before = null;
      } else {
        sheet.append(cell);
        if (!shrink(cell, sheet, SMALLEST)) {  // the last resort: it scrolls
          zoomed(cell, SMALL);
          sheet.tabIndex = 0;
          sheet.dataset.scrolls = 'yes';
        }
        for (const box of scrolling(sheet)) box.tabIndex = 0;
      }
    }
    enlarge(sheet);
  }

  const only_prose = sheet => !sheet.querySelector('h1, h2, h3, pre, .out, table');

  function enlarge(sheet) {  // in letters as large as a short slide has room for
    sheet.classList.remove('short');
    if (!sheet.lastElementChild || sheet.classList.contains('title') || sheet.querySelector('[style*="zoom"]')) return;
    for (const size of only_prose(sheet) ? [SENTENCE, ...LARGER] : LARGER) {
      sheet.style.setProperty('--larger', size);
      if (fits(sheet) && bottom(sheet) <= (size === SENTENCE ? SHORT : FOOT)) return middle(sheet);
    }
    sheet.style.removeProperty('--larger');
  }

  function middle(sheet) {  // a sentence or a question by itself stands in the middle
    if (sheet.querySelector('.kicker') && !sheet.querySelector('pre.code') && bottom(sheet) <= SHORT) sheet.classList.add('short');
  }

  // The first slide asks a question and shows the lesson's first picture; its code comes on the next.
  function first_picture(sheet) {
    const outs = [...sheet.parentNode.parentNode.querySelectorAll('.sheet > .cell > .out:not(:has(.bnteach-stage))')];
    const found = outs.find(out => out.querySelector('svg, img')) || outs.find(out => out.querySelector('table'));
    if (!found) return;
    const cell = Object.assign(document.createElement('div'), {className: 'cell picture'});
    cell.append(found.cloneNode(true));
    sheet.append(cell);
    for (const one of [sheet.parentNode.parentNode, sheet.parentNode]) one.classList.add('now');
    zoomed(cell, 0);
    sheet.classList.toggle('beside', parseFloat(found.querySelector('svg')?.getAttribute('width')) <= NARROW / 1.2);
    if (!fits(sheet) && !shrink(cell, sheet, A_LITTLE)) {
      sheet.classList.remove('beside');
      if (!fits(sheet) && !shrink(cell, sheet, A_LITTLE)) sheet.classList.add('beside');
      if (!fits(sheet)) shrink(cell, sheet, SMALLEST);
    }
    for (const one of [sheet.parentNode.parentNode, sheet.parentNode]) one.classList.remove('now');
  }

  // Cells that come with one key are one fragment; the first thing on a sheet need not wait.
  function group(sheet) {
    const first = sheet.querySelector('.cell')?.dataset.group;
    const numbers = [...new Set([...sheet.querySelectorAll('.cell[data-group]')].map(cell => cell.dataset.group))];
    for (const cell of sheet.querySelectorAll('.cell[data-group]')) {
      if (cell.dataset.group === first) continue;
      cell.classList.add('fragment');
      cell.dataset.fragmentIndex = numbers.indexOf(cell.dataset.group);
    }
  }

  // A line of code that has to be broken goes on further to the right than it begins; short strings and arrows stay whole.
  function in_lines(code) {
    const lines = code.innerHTML.replace(/\w*-&gt;\w*/g, '<span class="whole">$&</span>').split('\n').map(html => Object.assign(document.createElement('div'),
                                                                       {className: 'line', innerHTML: html || ' '}));
    for (const line of lines) line.style.setProperty('--in', line.textContent.search(/\S|$/));
    code.replaceChildren(...lines);
    for (const text of code.querySelectorAll('.s1, .s2')) {
      if (text.textContent.length <= A_WORD && /^(["']).*\1$/.test(text.textContent)) text.classList.add('whole');
    }
  }

  // An arrow, and a line such as A-B, is not broken after its hyphen. Code is left as it is, to be copied.
  function keep_together(cell) {
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    for (let text; (text = texts.nextNode());) {
      const kept = text.data.replace(/-(?=>)|(?<=\b\w)-(?=\w)/g, '-\u2060');
      if (kept !== text.data && !text.parentNode.closest('pre.code, .bnteach-source, script, style, svg')) text.data = kept;
    }
  }

  document.querySelectorAll('.cell > pre, .bnteach-source pre').forEach(in_lines);
  document.querySelectorAll('.cell').forEach(keep_together);
  // A player's sentence stands beside its picture, in large letters, if the picture leaves room for it.
  for (const stage of document.querySelectorAll('.bnteach-stage:has(.bn-sentence)')) {
    const picture = stage.querySelector(':scope > svg');
    if (picture && picture.getAttribute('width') <= NARROW) stage.classList.add('narrow');
  }
  document.querySelector('.sheet').classList.add('title');
  for (const sheet of document.querySelectorAll('.sheet')) lay_one(sheet);
  first_picture(document.querySelector('.sheet.title'));
  document.querySelectorAll('.sheet').forEach(group);
  for (const sheet of document.querySelectorAll('.sheet:has(.kicker)')) sheet.classList.toggle('alone', by_itself(sheet));
  document.querySelectorAll('.sheet.alone:has(.out[style*="zoom"])').forEach(full_screen);
  reveal.classList.remove('measuring');
})();
