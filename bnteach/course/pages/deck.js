// The deck: reveal.js is started, or everything is laid out to be printed. The steps of a player, the positions of a knob and
// the answers of a quiz are fragments of reveal.js, so that every key, the speaker's window and its preview lead through them.
(() => {
  const HEIGHT = 720, reveal = document.querySelector('.reveal');
  const asked = new URLSearchParams(location.search);
  const blocks_of = sheet => [...sheet.querySelectorAll('.block')].sort((a, b) => a.dataset.order - b.dataset.order);
  const answers_of = quiz => [...quiz.querySelectorAll('details')];

  if (asked.has('print-pdf')) return print_all(asked.has('handout'));

  // -- printed ----------------------------------------------------------------------------------------------
  function print_all(handout) {  // a sheet a page, players at their last step, the answers of a quiz on a sheet of their own
    document.querySelector('#reveal-style').remove();
    reveal.classList.add('printed');
    for (const stage of document.querySelectorAll('.bnteach-stage')) {
      if (stage.bnteach) stage.bnteach.go(stage.querySelector('[data-do="play"]') ? stage.bnteach.count - 1 : Number(stage.dataset.start));
    }
    const answered = [...document.querySelectorAll('.sheet:has(.bnteach-quiz)')].map(sheet => {
      const copy = sheet.cloneNode(true);
      copy.classList.add('answered');
      copy.querySelectorAll('.bnteach-quiz details').forEach(answer => { answer.open = true; });
      if (!handout) sheet.after(copy);
      blocks_of(sheet).reduce((after, block) => {  // what follows a quiz would give its answers away
        if (after && !block.matches('.quiz')) block.style.visibility = 'hidden';
        return after || block.matches('.quiz');
      }, false);
      return copy;
    });
    const style = document.createElement('style');
    style.textContent = handout ? '@page { size: A4; margin: 13mm 11mm; }' : `@page { size: 1280px ${HEIGHT}px; margin: 0; }`;
    document.head.append(style);
    if (handout) hand_out([...document.querySelectorAll('.sheet'), ...answered]);  // the answers come last
    document.body.style.margin = '0';
    document.documentElement.dataset.deck = 'ready';
  }

  function hand_out(sheets) {
    reveal.classList.add('handout');
    document.querySelector('.slides').replaceChildren(...sheets.map(sheet => {
      const pair = Object.assign(document.createElement('div'), {className: 'pair'});
      pair.append(sheet, Object.assign(document.createElement('div'), {className: 'for-notes'}));
      return pair;
    }));
  }

  // -- steps as fragments -----------------------------------------------------------------------------------
  const steps = new Map();  // of a player, a knob or a quiz: the fragments that stand for its steps

  function mark(sheet, owner, count, from) {
    steps.set(owner, Array.from({length: count}, (_, i) => {
      const step = Object.assign(document.createElement('span'), {className: 'fragment step'});
      step.dataset.fragmentIndex = from + i;
      sheet.append(step);
      return step;
    }));
    return from + count;
  }

  // Cells that come with one key are one fragment; what follows a quiz comes after its answers.
  function number_fragments(sheet) {
    let next = 0, here = -1, group = blocks_of(sheet)[0]?.dataset.group, after_quiz = false;
    for (const block of blocks_of(sheet)) {
      if (after_quiz || (block.dataset.group !== '0' && block.dataset.group !== group)) here = next++;
      group = block.dataset.group;
      if (here >= 0) {
        block.classList.add('fragment');
        block.dataset.fragmentIndex = here;
      }
      const quiz = block.querySelector('.bnteach-quiz'), stage = block.querySelector('.bnteach-stage');
      if (quiz) next = mark(sheet, quiz, answers_of(quiz).length, next);
      if (stage?.bnteach) next = mark(sheet, stage, stage.bnteach.count - 1, next);
      after_quiz = quiz !== null;
    }
  }

  const shown = owner => steps.get(owner).filter(step => step.classList.contains('visible')).length;
  const owners = () => [...steps.keys()].filter(owner => Reveal.getCurrentSlide()?.contains(owner));

  function follow() {  // players and quizzes show what the fragments say
    for (const owner of owners()) {
      if (owner.bnteach) owner.bnteach.go(shown(owner));
      else answers_of(owner).forEach((answer, i) => {
        const now = i < shown(owner);
        if (now !== (answer.dataset.shown === 'yes')) answer.open = now;
        answer.dataset.shown = now ? 'yes' : 'no';
      });
    }
    show_code(false);
  }

  function lead(stage, n) {  // the fragments say what a player shows that was moved by hand
    if (!Reveal.isReady() || !owners().includes(stage) || shown(stage) === n) return;
    const first = Number(steps.get(stage)[0].dataset.fragmentIndex);
    Reveal.navigateFragment(first + n - 1);
  }

  // -- the code of a slide ----------------------------------------------------------------------------------
  let behind = null;
  function show_code(open) {
    behind?.remove();
    behind = null;
    if (!open) return;
    const codes = [...Reveal.getCurrentSlide().querySelectorAll('template.behind')];
    behind = Object.assign(document.createElement('div'), {className: 'behind-the-slide', tabIndex: 0});
    behind.append(...codes.length ? codes.map(code => code.content.cloneNode(true)) : ['This slide has no code.']);
    Reveal.getCurrentSlide().append(behind);
  }

  // -- keys -------------------------------------------------------------------------------------------------
  function past_the_steps(forward) {
    const {h, v} = Reveal.getIndices(), all = Reveal.getSlides(), at = all.indexOf(Reveal.getCurrentSlide()) + (forward ? 1 : -1);
    if (!all[at]) return;
    const to = Reveal.getIndices(all[at]);
    if (to.h !== h || to.v !== v) Reveal.slide(to.h, to.v, -1);
  }

  function to_the_end(last) {  // of the steps of this slide; if it is there already, of the deck
    const left = Reveal.availableFragments();
    if (last ? left.next : left.prev) Reveal.navigateFragment(last ? 1e6 : -1);
    else {
      const to = Reveal.getIndices(Reveal.getSlides().at(last ? -1 : 0));
      Reveal.slide(to.h, to.v);
    }
  }

  const FORWARD = new Set(['ArrowRight', 'PageDown', ' ', 'n', 'N']), BACK = new Set(['ArrowLeft', 'PageUp', 'p', 'P']);
  function on_key(event) {  // also if the focus is in a player, which would keep the key for itself
    if (event.key === '?') return Reveal.toggleHelp();
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey || Reveal.isOverview()) return;
    if (event.key === ' ' && document.activeElement?.matches('button, summary')) return;
    if (!(FORWARD.has(event.key) || BACK.has(event.key)) || document.querySelector('.r-overlay, .overlay')) return;
    if (FORWARD.has(event.key)) Reveal.next(); else Reveal.prev();
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  window.addEventListener('keydown', on_key, true);
  document.querySelectorAll('.sheet').forEach(number_fragments);
  document.querySelector('.title').parentNode.dataset.backgroundColor = 'light-dark(#eaf3f9, #1c2a37)';
  Reveal.initialize({
    width: 1280, height: HEIGHT, margin: 0, center: false, hash: true, navigationMode: 'linear', transition: 'none',
    backgroundTransition: 'none', slideNumber: 'c/t', scrollActivationWidth: null, plugins: [RevealNotes],
    keyboard: {40: () => past_the_steps(true), 38: () => past_the_steps(false), 35: () => to_the_end(true),
      36: () => to_the_end(false), 67: () => show_code(behind === null), 68: () => document.documentElement.classList.toggle('dark')},
  }).then(() => {
    for (const name of ['slidechanged', 'fragmentshown', 'fragmenthidden']) Reveal.on(name, follow);
    for (const owner of steps.keys()) {
      if (!owner.bnteach) continue;
      owner.addEventListener('bnteach-step', event => lead(owner, event.detail));
      owner.addEventListener('bnteach-step', () => Type.keep_together(owner.querySelector('.bn-sentence') || owner));
    }
    Reveal.registerKeyboardShortcut('&#8594; / Page down', 'Next step of a player or knob, next answer, next slide');
    Reveal.registerKeyboardShortcut('&#8595; / &#8593;', 'Next or previous slide, past all steps');
    Reveal.registerKeyboardShortcut('End / Home', 'Last or first step of this slide; then last or first slide');
    Reveal.registerKeyboardShortcut('D', 'Dark or light');
    Reveal.registerKeyboardShortcut('C', 'The code behind this slide');
    follow();
    document.documentElement.dataset.deck = 'ready';
  });
})();
