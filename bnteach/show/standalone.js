// The stand-alone player and knob. Every one on the page (class bnteach-stage) that is not yet running is started;
// nothing is fetched. Each holds its frames as JSON. A player's frame is [sentence, position, changes], a change is
// [number of the SVG element, style or text]; a knob's frame is shown and hidden as a whole.
// For slides: stage.bnteach.go(n), .at(), .count.
(() => {
  for (const stage of document.querySelectorAll('.bnteach-stage:not([data-running])')) start(stage);

  function start(stage) {
    const store = stage.querySelector('script[type="application/json"]');
    if (!store) return;
    stage.dataset.running = 'yes';
    const data = JSON.parse(store.textContent);
    const slider = stage.querySelector('input[type="range"]');
    const where = stage.querySelector('.bn-where');
    const sentence = stage.querySelector('.bn-sentence');
    const play = stage.querySelector('[data-do="play"]');
    const items = stage.querySelectorAll('ol li');
    const show = data.elements === undefined ? knob(stage) : player(stage, data);
    const last = data.frames.length - 1;
    let now = -1, timer = null;

    function go(n) {
      n = Math.max(0, Math.min(last, n));
      if (n === now) return;
      show(n);
      if (items[now]) items[now].removeAttribute('aria-current');
      if (items[n]) {
        items[n].setAttribute('aria-current', 'step');
        const list = items[n].parentNode;
        list.scrollTop = items[n].offsetTop - list.offsetTop - list.clientHeight / 2;
      }
      now = n;
      slider.value = n;
      const [text, position] = data.frames[n];
      slider.setAttribute('aria-valuetext', text ? position + ': ' + text : position);
      where.textContent = position;
      if (sentence) sentence.textContent = text;
      stage.dispatchEvent(new CustomEvent('bnteach-step', {detail: n}));
    }
    function stop() {
      clearInterval(timer);
      timer = null;
      if (play) play.textContent = 'Play';
    }
    function start_or_stop() {
      if (timer !== null) return stop();
      if (now === last) go(0);
      play.textContent = 'Pause';
      timer = setInterval(() => { go(now + 1); if (now === last) stop(); }, data.pause);
    }
    const does = {first: () => go(0), back: () => go(now - 1), next: () => go(now + 1), last: () => go(last)};
    for (const button of stage.querySelectorAll('button[data-do]')) {
      const what = button.dataset.do;
      button.addEventListener('click', what === 'play' ? start_or_stop : () => { stop(); does[what](); });
    }
    slider.addEventListener('input', () => { stop(); go(Number(slider.value)); });
    // Slides and notebooks also use the arrow keys: keys pressed inside a player or knob are for it alone.
    stage.addEventListener('keydown', event => {
      if (/^(Arrow|Home|End|Page| $)/.test(event.key)) event.stopPropagation();
    });
    stage.querySelector('.bn-bar').style.display = '';
    stage.bnteach = {go, at: () => now, count: last + 1};
    go(data.start);
  }

  function knob(stage) {
    const frames = stage.querySelectorAll('.bn-frame');
    return n => frames.forEach((frame, i) => { frame.style.display = i === n ? '' : 'none'; });
  }

  function player(stage, data) {
    const elements = [...stage.querySelectorAll('svg [data-element]')];
    const picture = stage.querySelector('svg');
    let shown = elements.map(() => undefined);
    return n => {
      const state = data.elements.slice();
      for (let i = 0; i <= n; i++) for (const [number, value] of data.frames[i][2]) state[number] = value;
      state.forEach((value, i) => { if (value !== shown[i]) restyle(elements[i], value, data); });
      shown = state;
      if (picture) picture.setAttribute('aria-label', data.frames[n][1] + '. ' + data.frames[n][0]);
    };
  }

  function restyle(element, value, data) {
    if (element.tagName === 'text') { element.textContent = value; return; }
    if (value === null) { element.setAttribute('display', 'none'); return; }
    element.removeAttribute('display');
    const style = data.styles[value];
    if (element.classList.contains('bn-node')) element.setAttribute('fill', style.ink);
    for (const child of element.children) {
      const wanted = style[child.tagName];
      if (wanted) for (const name in wanted) child.setAttribute(name, wanted[name]);
    }
  }
})();
