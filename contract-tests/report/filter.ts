// The script of the HTML report: shows the requirements of one status, or those whose text holds some words.
export const FILTER = `
const rows = [...document.querySelectorAll('.row')];
const buttons = [...document.querySelectorAll('[data-filter]')];
const search = document.querySelector('#search');
let status = '';
const apply = () => {
  const words = search.value.toLowerCase();
  for (const row of rows) {
    row.hidden = (status !== '' && row.dataset.status !== status) || !row.textContent.toLowerCase().includes(words);
  }
  for (const part of document.querySelectorAll('.part')) {
    const shown = part.querySelector('.row:not([hidden])') !== null;
    part.hidden = !shown;
    if (status !== '' || words !== '') part.open = shown;
  }
  const left = rows.filter((row) => !row.hidden).length;
  document.querySelector('#shown').textContent = left === rows.length ? '' : left + ' of ' + rows.length + ' requirements';
};
for (const button of buttons) {
  button.addEventListener('click', () => {
    status = status === button.dataset.filter ? '' : button.dataset.filter;
    for (const other of buttons) other.setAttribute('aria-pressed', String(other.dataset.filter === status));
    apply();
  });
}
search.addEventListener('input', apply);
document.querySelector('#filters').hidden = false;
const open = () => {
  const named = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let fold = named && named.closest('details'); fold; fold = fold.parentElement.closest('details')) fold.open = true;
  if (named) named.scrollIntoView();
};
addEventListener('hashchange', open);
open();
`;
