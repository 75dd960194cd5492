// An exchange of the journal as plain data, complete: the journal shows the same after a restore.
import { Problem } from '../../service/contract/errors.ts';
import { type SavedTerms, saveTerms, type Terms, termsFrom } from '../../service/contract/terms.ts';
import { type Exchange, type ServiceResponse, withPageText } from '../../service/http/exchange.ts';
import { type RequestData, RequestInfo } from '../../service/http/request-info.ts';

/** What it is restored from. */
type SavedProblem = ConstructorParameters<typeof Problem>;

export interface SavedExchange extends Omit<Exchange, 'request' | 'response' | 'terms'> {
  readonly asked: Omit<RequestData, 'headers' | 'operation'> & {
    readonly headers: readonly string[];
    readonly id: RequestData['operation'];
  };
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
    const { page } = exchange.response;
    const first = sent.get(page);
    if (first?.terms === exchange.terms) return saveExchange(exchange, first.number);
    if (page) sent.set(page, exchange);
    return saveExchange(exchange);
  });
};

const saveExchange = (exchange: Exchange, same?: number): SavedExchange => {
  const { request, response: sent, terms, ...kept } = exchange;
  const { page: _, problem, ...response } = same === undefined ? withPageText(exchange) : { ...sent, text: same };
  const { operation: id, ...asked } = request;
  const headers = Array.isArray(asked.headers) ? asked.headers : [...(asked.headers as Headers)].flat();
  const reply = { ...response, problem: problem ? saveProblem(problem) : null };
  return { ...kept, asked: { ...asked, id, headers }, reply, terms: saveTerms(terms) };
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
  { asked, reply: { problem, ...response }, ...saved }: SavedExchange,
  terms: Terms,
  text: ServiceResponse['text'],
): Exchange => ({
  ...saved,
  // Undefined members are lost in JSON.
  fault: saved.fault,
  request: new RequestInfo({ ...asked, operation: asked.id }).shrink(),
  response: {
    ...response,
    text,
    caller: response.caller,
    page: undefined,
    problem: problem ? new Problem(...problem) : undefined,
  },
  terms,
});
