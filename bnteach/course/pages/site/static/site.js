// The site: search, what the theme leaves without a name or out of reach, the ledger's filter.
(() => {
  const root = document.documentElement.dataset.content_root;
  const make = (tag, text, attributes = {}) => Object.assign(document.createElement(tag), {textContent: text, ...attributes});

  // -- search: every word begins some word of the section, or, where no section has them all, one word does; words of the
  // title count most, and the ledger comes after the lessons. The list, SECTIONS in sections.js, is loaded when it is needed:
  // {page, at, lesson, title, text}
  const dialog = document.querySelector('#pst-search-dialog'), field = document.querySelector('#search'), results = document.querySelector('#results');
  const plain = text => text.toLowerCase().normalize('NFD').replace(/[\u0300-\u036f]/g, '');
  const words = text => plain(text).match(/[\p{L}\p{N}.]+/gu) || [];
  let index = null;
  const loaded = () => loaded.once ||= new Promise(done => document.head.append(make('script', '', {src: `${root}_static/sections.js`, onload: done})));
  const build = () => index ||= SECTIONS.map(s => ({...s, last: s.page === 'ledger.html', title_words: words(s.title), text_words: words(s.lesson + ' ' + s.text)}));

  function score(section, asked) {
    const scores = asked.map(word => (section.title_words.some(w => w.startsWith(word)) ? 10 : 0)
      + Math.min(section.text_words.filter(w => w.startsWith(word)).length, 5));
    return {every: scores.every(n => n > 0), total: scores.reduce((a, b) => a + b)};
  }

  function find(asked) {
    const all = build().map(section => ({section, ...score(section, asked)})).filter(one => one.total);
    const full = all.filter(one => one.every), best = full.length ? full : all;
    best.sort((a, b) => a.section.last - b.section.last || b.total - a.total);
    return [full.length || asked.length === 1, best.map(one => one.section)];
  }

  function excerpt(section, asked) {
    const at = Math.max(0, plain(section.text).search(new RegExp('(?<![\\p{L}\\p{N}])' + asked[0].replace(/\./g, '\\.'), 'u')));
    const from = at > 50 ? section.text.lastIndexOf(' ', at - 40) + 1 : 0;
    const small = document.createElement('small');
    for (const piece of section.text.slice(from, from + 130).split(/(\s+)/)) {
      small.append(asked.some(w => words(piece)[0]?.startsWith(w)) ? make('mark', piece) : piece);
    }
    return small;
  }

  async function look() {
    await loaded();
    const asked = words(field.value);
    if (!asked.length) return results.replaceChildren();
    const [full, found] = find(asked);
    const summary = found.length ? `${found.length} found${full ? '' : ', each with some of these words'}`
      : 'Nothing found: try the beginning of a word.';
    results.replaceChildren(make('p', summary));
    for (const section of found.slice(0, 20)) {
      const link = make('a', '', {href: `${root}${section.page}#${section.at}`});
      link.append(make('b', section.title), ' ', make('span', section.lesson === section.title ? '' : section.lesson), excerpt(section, asked));
      link.addEventListener('click', () => dialog.close());
      results.append(link);
    }
  }

  field.addEventListener('input', look);
  field.addEventListener('focus', look);
  document.addEventListener('keydown', event => {
    const links = [...results.querySelectorAll('a')], at = links.indexOf(document.activeElement);
    if (event.key === '/' && !event.target.closest('input, textarea, select')) dialog.showModal();
    else if (event.key === 'Enter' && event.target === field) links[0]?.click();
    else if (event.key === 'ArrowDown' && dialog.open) links[at + 1]?.focus();
    else if (event.key === 'ArrowUp' && at >= 0) (links[at - 1] || field).focus();
    else return;
    event.preventDefault();
  });

  // -- what the theme leaves without a name, and what scrolls: it can be reached by keyboard ----------------------
  for (const fold of document.querySelectorAll('.bd-links summary')) {
    const page = fold.closest('li')?.querySelector('a')?.textContent.trim();
    if (page) fold.setAttribute('aria-label', `Pages below ${page}`);
  }
  const boxes = 'main pre, .pst-scrollable-table-container, .cell_output .output, .wide, .bd-sidebar-primary, .bd-sidebar-secondary, .bd-article [style*="overflow:auto"]';
  function reachable() {
    const wide = new Map();  // a formula that is wider than its block: a narrower window makes it so, a wider one undoes it
    for (const formula of document.querySelectorAll('main math')) {
      const block = formula.closest('p, li, td, summary, blockquote, div');
      const sticks_out = formula.firstElementChild.getBoundingClientRect().right > block.getBoundingClientRect().right + 1;
      wide.set(block, wide.get(block) || sticks_out);
    }
    for (const [block, scrolls] of wide) {
      block.classList.toggle('scrolls', scrolls);
      if (scrolls) block.tabIndex = 0; else block.removeAttribute('tabindex');
    }
    for (const graph of document.querySelectorAll('.bnteach-picture > svg:has(.bn-node)')) {
      graph.style.minWidth = `${0.6 * graph.getAttribute('width')}px`;  // on a phone a large one scrolls, or nobody could read it
    }
    for (const box of document.querySelectorAll(boxes)) {
      const scrolls = box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1;
      if (scrolls && box.clientWidth) box.tabIndex = 0;
    }
  }
  reachable();
  addEventListener('resize', reachable);

  // -- A-B is not broken after its hyphen -------------------------------------------------------------------------
  const keep = sentence => { sentence.textContent = sentence.textContent.replace(/(?<=\w)-(?=[\w>])/g, '-\u2060'); };
  document.querySelectorAll('.bnteach-stage .bn-sentence').forEach(keep);
  document.addEventListener('bnteach-step', event => event.target.querySelectorAll('.bn-sentence').forEach(keep), true);

  // -- the player of the first page moves, unless its reader has asked for less motion ---------------------------
  if (!matchMedia('(prefers-reduced-motion: reduce)').matches) document.querySelector('.hero [data-do="play"]')?.click();

  // -- the ledger's filter --------------------------------------------------------------------------------------
  const filter = document.querySelector('.filter');
  if (filter) {
    filter.hidden = false;
    filter.addEventListener('change', () => {
      const wanted = new Set([...filter.querySelectorAll('input:checked')].map(box => box.value));
      for (const row of document.querySelectorAll('tr[data-verdict]')) row.hidden = !wanted.has(row.dataset.verdict);
    });
  }
})();
