// Details of type, before anything is measured: where lines may be broken.
const Type = (() => {
  const A_WORD = 24;  // strings of code that are not longer are not broken

  // A line of code that has to be broken goes on further to the right than it begins; short strings and arrows stay whole.
  function in_lines(code) {
    const lines = code.innerHTML.replace(/\w*-&gt;\w*/g, '<span class="whole">$&</span>').split('\n')
      .map(html => Object.assign(document.createElement('div'), {className: 'line', innerHTML: html || ' '}));
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

  document.querySelectorAll('.cell > pre, .out > pre.text, .bnteach-source pre').forEach(in_lines);
  document.querySelectorAll('.cell').forEach(keep_together);
  return {keep_together};
})();
