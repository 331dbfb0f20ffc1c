// Practice without a kernel. Every one on the page (class bnteach-practice) that is not yet running is started. Each
// holds its sessions as JSON; the picture of a session is a stage of the stand-alone player, moved by stage.bnteach.go.
(() => {
  for (const root of document.querySelectorAll('.bnteach-practice:not([data-running])')) start(root);

  function start(root) {
    root.dataset.running = 'yes';
    const stores = [...root.querySelectorAll(':scope > script[type="application/json"]')];
    root.querySelector('.bn-no-script').remove();
    const table = add(root, 'div', 'bn-table');
    let now = 0;
    const open = i => { now = i; play(table, JSON.parse(stores[i].textContent), stores[i].dataset.title, another); };
    function another() {
      const {name, level} = stores[now].dataset;
      const alike = stores.map((s, i) => i).filter(i => stores[i].dataset.name === name && stores[i].dataset.level === level);
      open(alike[(alike.indexOf(now) + 1) % alike.length]);
    }
    if (stores.length > 1) chooser(root, table, stores, open);
    open(0);
    root.addEventListener('keydown', event => {
      const option = root.querySelectorAll('.bn-options button')[Number(event.key) - 1];
      if (/^[1-9]$/.test(event.key) && option && !event.ctrlKey && !event.metaKey && !event.altKey) option.click();
      if (/^(Arrow|Home|End|Page| $|[1-9]$)/.test(event.key)) event.stopPropagation();
    });
  }

  // Two lists, of algorithms and of levels; the first session of the two chosen is opened.
  function chooser(root, table, stores, open) {
    const bar = document.createElement('div');
    bar.className = 'bn-chooser';
    root.insertBefore(bar, table);
    const names = new Map(stores.map(s => [s.dataset.name, s.dataset.title]));
    const select = (label, entries) => {
      const box = add(bar, 'label', '', label + ' '), list = add(box, 'select');
      for (const [value, text] of entries) add(list, 'option', '', text).value = value;
      list.addEventListener('change', () => open(stores.findIndex(s =>
        s.dataset.name === which.value && s.dataset.level === level.value)));
      return list;
    };
    const which = select('Algorithm', names), level = select('Level', [1, 2, 3].map(i => [i, String(i)]));
  }

  function play(table, data, title, another) {
    table.replaceChildren();
    add(table, 'h2', '', title);
    const columns = add(table, 'div', 'bn-columns'), pictures = add(columns, 'div', 'bn-pictures');
    const panel = add(columns, 'div', 'bn-panel');
    pictures.innerHTML = data.stage + data.given;
    const stage = pictures.querySelector('.bnteach-stage');
    if (stage) run(table.parentNode.querySelector('.bn-player').textContent);
    const said = add(panel, 'div', 'bn-said');
    said.setAttribute('role', 'status');
    const asked = add(panel, 'div');
    const marks = data.questions.map(() => null);
    const elements = stage ? [...stage.querySelectorAll('svg [data-element]')] : [];
    let at = 0;
    for (const element of elements) widen(element);
    pictures.addEventListener('click', event => {
      const element = event.target.closest('[data-element]'), question = data.questions[at];
      const meant = element && question ? question.hits[element.dataset.element] : null;
      if (!meant) return;
      const buttons = asked.querySelectorAll('.bn-options button');
      if (meant.length === 1) buttons[meant[0]].click(); else buttons[meant[0]].focus();
    });
    ask(false);

    function ask(focus) {
      const question = data.questions[at];
      asked.replaceChildren();
      show(question ? question.made : data.steps.length);
      if (!question) return finish(focus);
      mark(question);
      add(asked, 'p', 'bn-where', `Question ${at + 1} of ${data.questions.length}`);
      facts(question);
      const prompt = add(asked, 'p', 'bn-prompt', question.prompt);
      prompt.tabIndex = -1;
      const options = add(asked, 'div', 'bn-options');
      options.setAttribute('role', 'group');
      options.setAttribute('aria-label', question.prompt);
      question.options.forEach(([label], i) => {
        const button = add(options, 'button', '', label);
        button.type = 'button';
        if (i < 9) button.dataset.key = i + 1;
        button.addEventListener('click', () => answer(button, i));
      });
      const reveal = add(asked, 'button', 'bn-quiet', 'Show me');
      reveal.type = 'button';
      reveal.addEventListener('click', () => {
        marks[at] = false;
        tell('bn-shown', `The answer is ${question.options[question.choice][0]}.` + own(question));
        next();
      });
      if (focus) prompt.focus({preventScroll: true});
    }
    function own(question) { return question.last ? ' ' + data.steps[question.number - 1] : ''; }
    function facts(question) {
      if (!question.facts.length) return;
      const list = add(asked, 'ul', 'bn-facts');
      for (const fact of question.facts) add(list, 'li', '', fact);
    }
    function answer(button, i) {
      const [label, right, text] = data.questions[at].options[i];
      if (marks[at] === null) marks[at] = right;
      tell(right ? 'bn-yes' : 'bn-no', (right ? '✓ Yes: ' : '✗ Not quite: ') + text);
      if (right) return next();
      button.textContent = '✗ ' + label;
      button.classList.add('bn-wrong');
    }
    function tell(name, text) {
      said.replaceChildren();
      add(said, 'p', name, text);
    }
    // Steps that are not asked, between the one that was and the next question, are said too.
    function next() {
      const before = data.questions[at].last ? data.questions[at].number : data.steps.length;
      at += 1;
      const until = data.questions[at] ? data.questions[at].made : data.steps.length;
      for (const step of data.steps.slice(before, until).slice(-3)) add(said, 'p', 'bn-then', 'Then: ' + step);
      ask(true);
    }
    function show(made) { if (stage) stage.bnteach.go(made); }
    function mark(question) {
      elements.forEach((element, i) => {
        element.classList.toggle('bn-marked', question.marked.includes(i));
        element.classList.toggle('bn-clickable', i in question.hits);
      });
    }
    function finish(focus) {
      for (const element of elements) element.classList.remove('bn-marked', 'bn-clickable');
      const right = marks.filter(Boolean).length, wrong = new Map();
      data.questions.forEach((q, i) => { if (!marks[i]) wrong.set(q.kind, (wrong.get(q.kind) || 0) + 1); });
      const head = add(asked, 'p', 'bn-prompt', `${right} of ${marks.length} right at the first try.`);
      head.tabIndex = -1;
      const list = add(asked, 'ul', 'bn-facts');
      for (const [kind, times] of wrong) add(list, 'li', '', `${times} wrong: ${kind}`);
      if (!wrong.size) list.remove();
      if (data.lesson) {
        const said = add(asked, 'p', '', `Lesson ${data.lesson.slice(0, 2)} explains it, in the section `);
        if (data.link) add(said, 'a', '', data.section).href = data.link; else said.append(`"${data.section}".`);
      }
      whys();
      const again = add(asked, 'button', '', 'Another one');
      again.type = 'button';
      again.addEventListener('click', () => { another(); table.querySelector('.bn-prompt').focus({preventScroll: true}); });
      if (focus) head.focus({preventScroll: true});
    }
    function whys() {
      if (!data.why.length) return;
      const box = add(asked, 'div', 'bn-options');
      box.setAttribute('role', 'group');
      box.setAttribute('aria-label', 'Why is this edge here?');
      add(asked, 'p', 'bn-why').setAttribute('role', 'status');
      add(box, 'span', '', 'Why is this edge here?');
      for (const [edge, sentences] of data.why) {
        const button = add(box, 'button', '', edge);
        button.type = 'button';
        button.addEventListener('click', () => { asked.querySelector('.bn-why').textContent = sentences.join('\n'); });
      }
    }
  }

  // The player's script starts every stage that is not yet running.
  function run(script) {
    const element = document.createElement('script');
    element.textContent = script;
    document.head.append(element);
    element.remove();
  }

  // An edge is thin: a wide transparent copy of it can be hit.
  function widen(element) {
    const path = element.querySelector('path');
    if (!path) return;
    const wide = path.cloneNode();
    wide.setAttribute('class', 'bn-wide');
    element.append(wide);
  }

  function add(parent, tag, name = '', text = '') {
    const made = document.createElement(tag);
    if (name) made.className = name;
    if (text) made.textContent = text;
    parent.append(made);
    return made;
  }
})();
