// Cells become slides, before reveal.js starts. Type has three sizes and pictures are as large as their slide allows, so
// what is free is where one slide ends and the next begins: that is chosen to cost least (see `cost_of` and `break_before`).
// Only the browser knows how tall things are, so it is done there.
(() => {
  const {WIDTH, GAP, TOP, FOOT, ALONE, slides, made, bench, block_of, parts_of, runs, scale, height_of, letters_of, legible, drawn,
    size_within, shorten, freeze, thaw} = Blocks;
  const COLUMNS = [[440, 690], [540, 590], [640, 490]];  // of prose, and of the picture beside it
  const SCANT = 210;                                     // px: what is less high leaves most of a slide empty
  const LONE = 130;                                      // px: prose that is less high does not fill a slide
  const LEAST = 18, CLOSE = 13;                          // px of labels: as they should be, and as pictures must not be side by side

  // -- where a slide ends -----------------------------------------------------------------------------------
  // A unit is a block, or a line, row or item of one.
  function units_of(blocks) {
    return blocks.flatMap(block => {
      height_of(block);
      bench.replaceChildren(block.element);
      shorten(block);
      block.heights.clear();
      const whole = height_of(block), parts = parts_of(block);
      if (parts.length < 2) return [{block, part: 0, of: 1, height: whole}];
      if (block.kind === 'rows') freeze(block.element.querySelector('table'));
      const heights = parts.map(part => part.getBoundingClientRect().height);
      block.frame = whole - heights.reduce((sum, height) => sum + height, 0);
      return heights.map((height, part) => ({block, part, of: parts.length, height}));
    });
  }

  const FEW = {lines: 4, rows: 2, items: 1}, LISTED = {lines: 1.6};  // of a block on one slide; what it costs to divide it

  function break_before(unit, last) {
    const [a, b] = [last.block, unit.block];
    if (a === b) {
      const few = FEW[a.kind];
      return unit.part < few || unit.of - unit.part < few ? Infinity : LISTED[a.kind] || 0.8;
    }
    if (a.kind === 'heading' || a.kind === 'sub') return Infinity;
    if (a.cell === b.cell && a.kind === 'code') return 4;
    if (a.leads) return 1.2;
    return a.from.key === b.from.key ? 0.15 : b.from.first ? -0.5 : -0.3;
  }

  // What is against these units as one slide: room that is left, a picture that is small, a sentence by itself.
  function cost_of(units) {
    const blocks = [...new Set(units.map(unit => unit.block))], flexible = blocks.filter(block => block.flexible);
    const head = blocks[0].kind === 'heading', top = head ? TOP.heading : TOP.kicker, room = FOOT - top;
    const fixed = units.reduce((sum, unit) => sum + (unit.block.flexible ? 0 : unit.height), 0)
      + blocks.reduce((sum, block) => sum + (block.frame || 0), 0) + GAP * (blocks.length - 1);
    const tighter = flexible.length ? 0 : 14 + GAP / 2 * (blocks.length - 1);  // what the class "tight" wins
    if (fixed > room + tighter) return {cost: Infinity};
    let cost = fixed > room ? 2 : 0.7;
    for (let i = 1; i < blocks.length; i++) {
      if (blocks[i].from.key !== blocks[i - 1].from.key) cost += blocks[i].from.first ? 0.45 : 0.25;
    }
    if (!flexible.length) {
      const plain = blocks.every(block => ['text', 'items', 'sub', 'heading'].includes(block.kind));
      const body = fixed - (head ? blocks[0].heights.get(`${WIDTH} 1`) + GAP : 0);
      return {cost: cost + 0.9 * (1 - fixed / room) ** 2 + (plain && body < LONE ? 3 : body < SCANT ? 1.2 : 0)};
    }
    const shape = best_shape(blocks, flexible, room, fixed);
    if (!shape.size) return {cost: Infinity};
    const lost = 1 - shape.size / best_alone(flexible);
    const missing = Math.max(...flexible.map(block =>  // px that labels lack here and would have on a slide of their own
      Math.min(LEAST, letters_of(block) * best_alone([block])) - letters_of(block) * shape.size));
    return {cost: cost + 2 * lost ** 2 + (missing > 0.1 ? 0.5 + 0.6 * missing : 0), ...shape};
  }

  function best_alone(blocks) {
    return Math.max(...blocks.map(block => block.alone ??= size_within([block], ALONE.foot - TOP.kicker, ALONE.width) || 0.2));
  }

  function best_shape(blocks, flexible, room, fixed) {
    const rest = blocks.filter(block => !block.flexible && block.kind !== 'heading');
    const head = blocks[0].kind === 'heading' ? height_of(blocks[0]) + GAP : 0;
    const alone = blocks.length === flexible.length;
    const [width, extra] = alone ? [ALONE.width, ALONE.foot - FOOT] : [WIDTH, 0];
    let best = {size: size_within(flexible, room + extra - fixed, width), alone};
    if (flexible.length > 1 || flexible[0].element.querySelector('.bn-sentence') || !rest.length) return best;
    if (!rest.every(block => ['text', 'items', 'sub', 'quiz'].includes(block.kind) || narrow(block))) return best;
    const left = rest.filter(block => block.cell !== flexible[0].cell), right = rest.filter(block => !left.includes(block));
    for (const columns of left.length ? COLUMNS : []) {
      const [prose, code] = [left, right].map((some, i) => some.reduce((sum, block) => sum + height_of(block, columns[i]) + GAP, 0));
      const size = prose - GAP <= room - head ? size_within(flexible, room - head - code, columns[1]) : 0;
      if (size > best.size * 1.08) best = {size, columns};
    }
    return best;
  }

  const narrow = block => ['code', 'lines'].includes(block.kind)
    && [...block.element.querySelectorAll('.line')].every(line => line.textContent.length < 46);

  // The cheapest way to divide a run of blocks into slides.
  function pages_of(blocks) {
    const units = units_of(blocks), best = [{cost: 0}];
    for (let end = 1; end <= units.length; end++) {
      best[end] = {cost: Infinity};
      for (let start = end - 1; start >= 0; start--) {
        const before = start ? break_before(units[start], units[start - 1]) : 0;
        const page = best[start].cost + before < best[end].cost + 5 ? cost_of(units.slice(start, end)) : {cost: Infinity};
        if (page.cost === Infinity && too_high(units.slice(start, end))) break;
        const cost = best[start].cost + before + page.cost;
        if (cost < best[end].cost) best[end] = {...page, cost, start};
      }
      if (best[end].cost === Infinity && best[end - 1].cost < Infinity && !joined(units, end)) {  // too high for any slide: it scrolls
        best[end] = {cost: best[end - 1].cost + 50, start: end - 1, scrolls: true};
      }
    }
    const pages = [];
    for (let end = units.length; end > 0; end = best[end].start) pages.unshift({...best[end], units: units.slice(best[end].start, end)});
    return pages;
  }

  const joined = (units, end) => end < units.length && units[end - 1].block === units[end].block;
  const too_high = units => units.reduce((sum, unit) => sum + (unit.block.flexible ? 0 : unit.height), 0) > FOOT;

  // -- slides -----------------------------------------------------------------------------------------------
  let title = '';

  function part_of(block, first, last) {  // a block, or a copy of it with some of its parts
    if (first === 0 && last === parts_of(block).length - 1) return block.element;
    const copy = {...block, element: block.element.cloneNode(true)};
    parts_of(copy).forEach((part, i) => { if (i < first || i > last) part.remove(); });
    const list = copy.element.querySelector(':scope > ol');
    if (list) list.start = first + 1;
    return copy.element;
  }

  function slide_of(page) {
    const blocks = [...new Set(page.units.map(unit => unit.block))];
    const sheet = made('div', 'sheet'), body = made('div', 'body'), section = made('section', '');
    const elements = blocks.map((block, i) => {
      const parts = page.units.filter(unit => unit.block === block);
      if (parts.length === parts[0].of) thaw(block.element);
      const element = parts[0].of > 1 ? part_of(block, parts[0].part, parts.at(-1).part) : block.element;
      if (block.flexible) {
        bench.replaceChildren(drawn(block));
        scale(block, page.size);
        legible(block, page.size);
      }
      if (block.kind === 'stage') hold(block, page);
      if (block.kind === 'quiz') element.style.minHeight = `${height_of(block, page.columns?.[0])}px`;
      element.dataset.group = block.group;
      element.dataset.order = i;
      for (const code of parts.at(-1).part === parts.at(-1).of - 1 ? block.behind : []) element.append(code);
      return element;
    });
    if (blocks[0].kind === 'heading') {
      title = blocks[0].element.textContent;
      sheet.append(elements.shift());
      blocks.shift();
    } else sheet.append(made('p', 'kicker', title));
    sheet.append(body);
    if (page.columns) {
      body.classList.add('beside');
      body.style.gridTemplateColumns = page.columns.map(width => `${width}px`).join(' ');
      const {cell} = blocks.find(block => block.flexible);
      body.append(...[false, true].map(with_it => made('div', 'column', ...elements.filter((_, i) => (blocks[i].cell === cell) === with_it))));
    } else body.append(...elements);
    sheet.classList.toggle('alone', Boolean(page.alone));
    sheet.classList.toggle('with-picture', blocks.some(block => block.flexible));
    bench.style.width = '1280px';
    bench.replaceChildren(sheet);
    if (!page.columns && !page.scrolls && !blocks.some(block => block.flexible)) roomy(sheet, body);
    for (const quiz of sheet.querySelectorAll('.roomy .block.quiz')) quiz.style.minHeight = `${quiz.offsetHeight}px`;
    sheet.classList.toggle('tight', body.scrollHeight > body.clientHeight + 1);
    section.append(sheet);
    if (page.scrolls) sheet.dataset.scrolls = 'yes';
    for (const notes of new Set(blocks.map(block => block.from).filter(from => !from.told && (from.told = true)).map(from => from.notes))) {
      if (notes) section.querySelector('aside')?.append(...notes.childNodes) ?? section.append(notes);
    }
    return section;
  }

  // With room to spare, what is read closely is as large as prose.
  function roomy(sheet, body) {
    sheet.classList.add('roomy');
    const cut = [...sheet.querySelectorAll('.out, pre, .wide')].some(one => one.scrollWidth > one.clientWidth + 1);
    const lines = [...sheet.querySelectorAll('pre .line')].some(line => line.textContent.length > 72);
    sheet.classList.toggle('roomy', !cut && !lines && body.scrollHeight <= body.clientHeight && bottom_of(body) < FOOT - 60);
  }

  const bottom_of = body => body.offsetTop + [...body.children].reduce((sum, one) => sum + one.offsetHeight + GAP, 0);

  function hold({element}, page) {  // room for the longest sentence of a player; then its first step
    const stage = element.querySelector('.bnteach-stage'), sentence = stage.querySelector('.bn-sentence');
    if (sentence) {
      bench.style.width = `${page.alone ? ALONE.width : WIDTH}px`;
      bench.replaceChildren(element);
      sentence.style.minHeight = `${sentence.offsetHeight}px`;
    }
    stage.bnteach.go(1);
    stage.bnteach.go(0);
  }

  // The first slide has the title, the question, and the lesson's first picture or table; which is not shown again.
  function title_page(blocks) {
    const shown = blocks.find(block => block.kind === 'picture' || block.kind === 'rows');
    const before = blocks.slice(0, shown ? blocks.indexOf(shown) : blocks.length).filter(block => ['heading', 'text'].includes(block.kind));
    const words = before.slice(0, 3), left = blocks.filter(block => !words.includes(block) && block !== shown);
    if (left.length === 1 && left[0].kind === 'text' && height_of(left[0]) < LONE) words.push(left[0]);  // not a slide of its own
    const used = [...words, ...(shown ? [shown] : [])];
    const units = used.map(block => ({block, part: 0, of: 1, height: height_of(block)}));
    let page = {units};
    if (shown?.flexible) {
      const [size] = COLUMNS.map(columns => [size_within([shown], 620, columns[1]), columns]).sort((a, b) => b[0] - a[0]);
      const below = size_within([shown], 600 - words.reduce((sum, block) => sum + height_of(block) + 24, 0), WIDTH);
      page = size[0] > below ? {units, size: size[0], columns: size[1]} : {units, size: below};
    } else if (shown && shown.element.firstElementChild) page = {units, table: true};
    const of_it = block => block.kind === 'code' && block.cell === shown?.cell;  // without its result, code says nothing
    return [page, blocks.filter(block => !used.includes(block) && !of_it(block))];
  }

  // Pictures side by side that would be too small get a slide each.
  function apart(block) {
    const row = block.kind === 'picture' ? block.element.querySelector('.bnteach-row') : null;
    if (!row || row.children.length < 2 || letters_of(block) * best_alone([block]) >= CLOSE) return [block];
    drawn(block);
    return [...row.children].map((_, i, all) => {
      const copy = block.element.cloneNode(true), figures = [...copy.querySelector('.bnteach-row').children];
      figures.forEach((figure, j) => { if (j !== i) figure.remove(); });
      const part = block_of(copy.firstElementChild, block.cell, block.from);
      part.behind = i === all.length - 1 ? block.behind : [];
      return part;
    });
  }

  function lay_out() {
    const found = runs(), sections = [];
    slides.replaceChildren(bench);
    found.forEach((all, i) => {
      let blocks = all.flatMap(apart), pages, first = [];
      if (i === 0) {
        const [page, rest] = title_page(blocks);
        first = [page];
        blocks = rest;
      }
      pages = blocks.length ? pages_of(blocks) : [];
      sections.push(made('section', '', ...[...first, ...pages].map(slide_of)));
    });
    slides.replaceChildren(...sections);
    const sheet = slides.querySelector('.sheet');
    sheet.classList.add('title');
    const heading = sheet.querySelector('.heading');
    (sheet.querySelector('.column') || sheet.querySelector('.body')).prepend(heading);
  }

  // -- all of it --------------------------------------------------------------------------------------------
  // Room for the longest sentence of a player, and for every answer of a quiz, so that nothing moves when they come.
  function at_its_largest(stage) {
    const {frames, start} = JSON.parse(stage.querySelector('script[type="application/json"]').textContent);
    stage.dataset.start = start;
    const sentence = stage.querySelector('.bn-sentence'), svg = stage.querySelector(':scope > svg');
    if (sentence) sentence.textContent = frames.map(frame => frame[0]).sort((a, b) => b.length - a.length)[0];
    if (svg && svg.getAttribute('width') / svg.getAttribute('height') < 1.5) stage.classList.add('narrow');
  }

  document.querySelectorAll('.bnteach-stage').forEach(at_its_largest);
  document.querySelectorAll('.bnteach-quiz details').forEach(answer => { answer.open = true; });
  lay_out();
  document.querySelectorAll('.bnteach-quiz details').forEach(answer => { answer.open = false; });
  document.querySelector('.reveal').classList.remove('measuring');
})();
