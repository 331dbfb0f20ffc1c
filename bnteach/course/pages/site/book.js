// The book before it is printed: players at their last step, and the answers of all questions at the end.
(() => {
  for (const stage of document.querySelectorAll('.bnteach-stage')) {
    if (stage.bnteach && stage.querySelector('[data-do="play"]')) stage.bnteach.go(stage.bnteach.count - 1);
  }
  const answers = document.querySelector('#answers');
  for (const article of document.querySelectorAll('article:has(.bnteach-quiz)')) {
    const copies = [...article.querySelectorAll('.bnteach-quiz')].map(quiz => quiz.cloneNode(true));
    answers.append(Object.assign(document.createElement('h2'), {textContent: article.querySelector('h1').firstChild.textContent}), ...copies);
    for (const answer of copies.flatMap(copy => [...copy.querySelectorAll('details')])) answer.open = true;
  }
})();
