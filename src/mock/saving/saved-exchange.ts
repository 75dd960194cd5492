// An exchange of the journal as plain data, complete: the journal shows the same after a restore.
import { Problem } from '../../service/contract/errors.ts';
import { type SavedTerms, saveTerms, type Terms, termsFrom } from '../../service/contract/terms.ts';
import { type Exchange, type ServiceResponse, withPageText } from '../../service/http/exchange.ts';
import { type RequestData, RequestInfo } from '../../service/http/request-info.ts';

/** What it is restored from. */
type SavedProblem = ConstructorParameters<typeof Problem>;

export interface SavedExchange extends Omit<Exchange, 'asked' | 'reply' | 'terms'> {
  readonly asked: Omit<RequestData, 'headers'> & { readonly headers: readonly string[] };
  /** A number in place of the text: the same text as in the exchange with this number. */
  readonly reply: Omit<ServiceResponse, 'problem' | 'page' | 'text'> & {
    readonly text: ServiceResponse['text'] | number;
    readonly problem: SavedProblem | null;
  };
  readonly terms: SavedTerms;
}

const saveProblem = ({ status, code, message, fields, headers, check }: Problem): SavedProblem => [
  status,
  code,
  message,
  { fields, headers, check },
];

/** A page that was sent more than once is written once. */
export const saveExchanges = (exchanges: readonly Exchange[]): SavedExchange[] => {
  const sent = new Map<unknown, Exchange>();
  return exchanges.map((exchange) => {
    const { page } = exchange.reply;
    const first = sent.get(page);
    if (first?.terms === exchange.terms) return saveExchange(exchange, first.number);
    if (page) sent.set(page, exchange);
    return saveExchange(exchange);
  });
};

const saveExchange = (exchange: Exchange, same?: number): SavedExchange => {
  const { terms, ...kept } = exchange;
  const { asked } = kept;
  const { page: _, problem, ...reply } = same === undefined ? withPageText(exchange) : { ...exchange.reply, text: same };
  const headers = Array.isArray(asked.headers) ? asked.headers : [...(asked.headers as Headers)].flat();
  const told = { ...reply, problem: problem ? saveProblem(problem) : null };
  return { ...kept, asked: { ...asked, headers }, reply: told, terms: saveTerms(terms) };
};

/** Exchanges with equal terms share them, as before. */
export const exchangesFrom = (saved: readonly SavedExchange[]): Exchange[] => {
  const known = new Map<string, Terms>();
  const texts = new Map<number, string>();
  return saved.map((exchange) => {
    const key = JSON.stringify(exchange.terms);
    const terms = known.get(key) ?? termsFrom(exchange.terms);
    known.set(key, terms);
    const { text: said } = exchange.reply;
    const text = typeof said === 'number' ? texts.get(said)! : said;
    if (text !== null) texts.set(exchange.number, text);
    return exchangeFrom(exchange, terms, text);
  });
};

const exchangeFrom = (
  { reply: { problem, ...reply }, ...saved }: SavedExchange,
  terms: Terms,
  text: ServiceResponse['text'],
) => ({
  ...saved,
  // Undefined members are lost in JSON.
  fault: saved.fault,
  asked: new RequestInfo(saved.asked).shrink(),
  reply: { ...reply, text, caller: reply.caller, page: undefined, problem: problem ? new Problem(...problem) : undefined },
  terms,
});
