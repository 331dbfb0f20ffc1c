// The ledger: search, filter and sort. Every one on the page (class bnteach-ledger) that is not yet running is started;
// nothing is fetched. Without scripts the whole table is there, and can be scrolled.
(() => {
  for (const ledger of document.querySelectorAll('.bnteach-ledger:not([data-running])')) start(ledger);

  function start(ledger) {
    ledger.dataset.running = 'yes';
    const bar = ledger.querySelector('.bn-filter');
    if (!bar) return;
    const said = ledger.querySelector('.bn-said');
    const search = bar.querySelector('input'), choices = [...bar.querySelectorAll('select')];
    const body = ledger.querySelector('tbody'), rows = [...body.rows];
    const text = new Map(rows.map(row => [row, row.textContent.toLowerCase()]));

    function filter() {
      const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
      for (const row of rows) {
        row.hidden = !words.every(word => text.get(row).includes(word)) ||
          choices.some(choice => choice.value && !row.dataset[choice.name].split(' ').includes(choice.value));
      }
      said.textContent = rows.filter(row => !row.hidden).length + ' of ' + rows.length;
    }
    function key(row, column) {
      const cell = row.cells[column];
      return cell.dataset.key || cell.textContent.trim();
    }
    function sort(head) {
      const down = head.getAttribute('aria-sort') === 'ascending', column = head.cellIndex;
      for (const other of head.parentNode.cells) other.removeAttribute('aria-sort');
      head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      const sorted = rows.slice().sort((a, b) => key(a, column).localeCompare(key(b, column), 'en', {numeric: true}));
      body.append(...(down ? sorted.reverse() : sorted));
    }
    search.addEventListener('input', filter);
    for (const choice of choices) choice.addEventListener('change', filter);
    for (const head of ledger.querySelectorAll('thead th')) {
      head.querySelector('button').addEventListener('click', () => sort(head));
    }
    // Slides and notebooks have keys of their own: what is typed here is for the ledger alone.
    ledger.addEventListener('keydown', event => event.stopPropagation());
    bar.hidden = false;
    filter();
  }
})();
