// The deck: reveal.js is started, or everything is laid out to be printed, and the keys step through players on the way.
(() => {
  const HEIGHT = 720;
  const reveal = document.querySelector('.reveal');
  const is_player = stage => stage.querySelector('[data-do="play"]') !== null;

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

  document.querySelector('.title').parentNode.dataset.backgroundColor = '#eaf3f9';
  Reveal.initialize({
    width: 1280, height: HEIGHT, margin: 0.02, center: false, hash: true, navigationMode: 'linear', transition: 'none',
    backgroundTransition: 'none', slideNumber: 'c/t', scrollActivationWidth: null, plugins: [RevealNotes],
  }).then(() => {
    Reveal.registerKeyboardShortcut('+ / -', 'Turn the knob on this slide');
    Reveal.registerKeyboardShortcut('End / Home', 'Last or first step of the player on this slide');
    document.documentElement.dataset.deck = 'ready';
  });
})();
