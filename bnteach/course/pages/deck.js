// The deck. First every slide is made to fit: what does not fit goes on a sheet below, or a little smaller, and only
// what is still too tall by itself scrolls. Then reveal.js starts, and the keys step through players on the way.
(() => {
  const HEIGHT = 720, A_LITTLE = 0.85, SMALL = 0.7, PICTURE = 0.6, SMALLEST = 0.5, LINES = 19;
  const reveal = document.querySelector('.reveal');

  const is_player = stage => stage.querySelector('[data-do="play"]') !== null;

  // -- fitting ----------------------------------------------------------------------------------------------
  const tall = sheet => sheet.scrollHeight > HEIGHT + 1;
  const scrolling = sheet => [...sheet.querySelectorAll('.out, .out pre, .out [style*="overflow:auto"]')]
    .filter(box => box.clientWidth && box.scrollWidth > box.clientWidth + 2);
  const wide = sheet => scrolling(sheet).length > 0;
  const fits = sheet => !tall(sheet) && !wide(sheet);

  function shrink(cell, sheet, least) {
    const outs = cell.querySelectorAll(':scope > .out');
    const parts = outs.length ? [...outs] : [cell];
    const normal = outs.length ? 1.45 : 1;
    for (let size = 0.95; size >= least - 0.001; size -= 0.05) {
      for (const part of parts) part.style.zoom = (normal * size).toFixed(3);
      if (fits(sheet)) return true;
    }
    if (least > SMALLEST) for (const part of parts) part.style.zoom = '';
    return false;
  }

  function another(sheet, title) {
    const section = document.createElement('section');
    const next = document.createElement('div');
    next.className = 'sheet';
    if (title) next.append(Object.assign(document.createElement('p'), {className: 'kicker', textContent: title}));
    section.append(next);
    sheet.parentNode.classList.remove('now');
    section.className = 'now';
    sheet.parentNode.after(section);
    return next;
  }

  function parts(cell) {  // a cell in pieces: code and each output, or paragraphs, a heading with what follows it
    const pieces = [];
    let piece = null;
    for (const child of [...cell.children]) {
      if (!piece || !/^H\d$/.test(piece.lastElementChild.tagName)) {
        piece = cell.cloneNode(false);
        pieces.push(piece);
      }
      piece.append(child);
    }
    return pieces;
  }

  function pages(cell) {  // a long text, such as a trace, in pieces of as many lines as a sheet has
    const text = cell.querySelector(':scope > .out:only-child > pre.text:only-child');
    const lines = text ? text.textContent.split('\n') : [];
    const pieces = [];
    for (let i = 0; i < lines.length; i += LINES) {
      const piece = cell.cloneNode(true);
      piece.querySelector('pre').textContent = lines.slice(i, i + LINES).join('\n');
      piece.firstElementChild.style.zoom = '';
      pieces.push(piece);
    }
    return pieces;
  }

  const empty = sheet => !sheet.querySelector('.cell');

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
    if (room < HEIGHT / 2) return A_LITTLE;
    return cell.querySelector('.out svg, .out img') ? PICTURE : SMALL;
  }

  const starts_anew = cell => /^H[12]$/.test(cell.firstElementChild?.tagName || '');

  function lay(sheet) {
    let title = '';
    const waiting = [...sheet.children].map(cell => [cell, true]);
    sheet.replaceChildren();
    while (waiting.length) {
      const [cell, whole] = waiting.shift();
      const alone = empty(sheet);
      const room = alone ? HEIGHT : HEIGHT - sheet.lastElementChild.offsetTop - sheet.lastElementChild.offsetHeight;
      const anew = !alone && starts_anew(cell);
      sheet.append(cell);
      if (!anew && (fits(sheet) || shrink(cell, sheet, least(cell, room)))) {
        title = sheet.querySelector('h1, h2, h3')?.textContent || title;
        continue;
      }
      if (!alone) {
        if (anew) title = '';
        waiting.unshift([cell, whole]);
        cell.remove();
        sheet = another(sheet, title);
      } else if (whole && cell.children.length > 1) {
        cell.remove();
        waiting.unshift(...parts(cell).map(piece => [piece, true]));
      } else if (whole && pages(cell).length > 1) {
        cell.remove();
        waiting.unshift(...pages(cell).map(piece => [piece, false]));
      } else {
        shrink(cell, sheet, SMALLEST);
        if (tall(sheet)) { sheet.tabIndex = 0; sheet.dataset.scrolls = 'yes'; }  // the last resort
        for (const box of scrolling(sheet)) box.tabIndex = 0;
      }
    }
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

  document.querySelector('.sheet').classList.add('title');
  for (const sheet of document.querySelectorAll('.sheet')) lay_one(sheet);
  document.querySelectorAll('.sheet').forEach(group);
  reveal.classList.remove('measuring');

  if (/print-pdf/.test(location.search)) return print_all();

  function print_all() {  // everything at once, a sheet a page, each player at its end; no reveal.js
    document.querySelector('#reveal-style').remove();
    reveal.classList.add('printed');
    for (const stage of document.querySelectorAll('.bnteach-stage')) {
      if (stage.bnteach && is_player(stage)) stage.bnteach.go(stage.bnteach.count - 1);
    }
    document.body.style.margin = '0';
    document.documentElement.dataset.deck = 'ready';
  }

  // -- players ----------------------------------------------------------------------------------------------
  const stages = () => [...(Reveal.getCurrentSlide()?.querySelectorAll('.bnteach-stage') || [])].filter(s => s.bnteach);
  const waiting_fragment = node => node.closest('.fragment:not(.visible)') !== null;

  // What comes next on this slide: a player that has steps left, unless a fragment before it still waits.
  function player_to_step(forward) {
    const items = [...Reveal.getCurrentSlide().querySelectorAll('.fragment, .bnteach-stage')];
    const left = items.filter(item => item.classList.contains('fragment')
      ? item.classList.contains('visible') !== forward
      : item.bnteach && is_player(item) && !(forward && waiting_fragment(item)) && !item.closest('.fragment:not(.visible)')
        && item.bnteach.at() !== (forward ? item.bnteach.count - 1 : 0));
    const next = forward ? left[0] : left[left.length - 1];
    return next && next.bnteach ? next : null;
  }

  function move(forward) {
    const player = player_to_step(forward);
    if (player) player.bnteach.go(player.bnteach.at() + (forward ? 1 : -1));
    else if (forward) Reveal.next();
    else Reveal.prev();
  }

  const FORWARD = new Set(['ArrowRight', 'PageDown', ' ', 'n', 'N']), BACK = new Set(['ArrowLeft', 'PageUp', 'p', 'P']);
  function on_key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey || Reveal.isOverview()) return;
    const focus = document.activeElement, stage = focus?.closest?.('.bnteach-stage');
    const paging = event.key.startsWith('Page');
    if (stage && !paging && !is_player(stage)) return;         // a knob's slider keeps its arrows
    if (event.key === ' ' && focus?.matches('button, summary')) return;
    if (stage && !paging && !event.key.startsWith('Arrow')) return;
    if (!stage && (event.key === 'Home' || event.key === 'End')) {
      const player = player_to_step(event.key === 'End');
      if (!player) return;
      player.bnteach.go(event.key === 'End' ? player.bnteach.count - 1 : 0);
    } else if (event.key === '+' || event.key === '-') {
      const knob = stages().find(one => !is_player(one) && !waiting_fragment(one));
      if (!knob) return;
      knob.bnteach.go(knob.bnteach.at() + (event.key === '+' ? 1 : -1));
    } else if (FORWARD.has(event.key) || BACK.has(event.key)) {
      if (document.querySelector('.r-overlay, .overlay')) return;
      move(FORWARD.has(event.key));
    } else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  window.addEventListener('keydown', on_key, true);
  document.addEventListener('toggle', event => {
    if (event.target.open) event.target.scrollIntoView({block: 'nearest'});
  }, true);

  Reveal.initialize({
    width: 1280, height: HEIGHT, margin: 0.02, center: false, hash: true, navigationMode: 'linear', transition: 'none',
    backgroundTransition: 'none', slideNumber: 'c/t', scrollActivationWidth: null, plugins: [RevealNotes],
  }).then(() => {
    Reveal.registerKeyboardShortcut('+ / -', 'Turn the knob on this slide');
    Reveal.registerKeyboardShortcut('End / Home', 'Last or first step of the player on this slide');
    document.documentElement.dataset.deck = 'ready';
  });
})();
