// An exchange of the journal as plain data, complete: the journal shows the same after a restore.
import { Problem } from '../../service/contract/errors.ts';
import { type SavedTerms, saveTerms, type Terms, termsFrom } from '../../service/contract/terms.ts';
import { type Exchange, type ServiceResponse, withPageText } from '../../service/http/exchange.ts';
import { type RequestData, RequestInfo } from '../../service/http/request-info.ts';

export interface SavedExchange extends Omit<Exchange, 'request' | 'response' | 'terms'> {
  readonly asked: Omit<RequestData, 'headers' | 'operation'> & {
    readonly headers: readonly string[];
    readonly id: RequestData['operation'];
  };
  /** A number in place of the text: the same text as in the exchange with this number. */
  readonly reply: Omit<ServiceResponse, 'problem' | 'page' | 'text'> & {
    readonly text: ServiceResponse['text'] | number;
    readonly problem: ConstructorParameters<typeof Problem> | null;
  };
  readonly terms: SavedTerms;
}

const saveProblem = ({ status, code, message, fields, headers, check }: Problem): ConstructorParameters<typeof Problem> => [
  status,
  code,
  message,
  { fields, headers, check },
];

/** A page that was sent more than once is written once. */
export const saveExchanges = (exchanges: readonly Exchange[]): SavedExchange[] => {
  const sent = new Map<unknown, Exchange>();
  return exchanges.map((exchange) => {
    const { request, response: full, terms, ...kept } = exchange;
    const first = sent.get(full.page);
    const isKnown = first?.terms === terms;
    if (full.page && !isKnown) sent.set(full.page, exchange);
    const { page: _, problem, ...response } = isKnown ? { ...full, text: first.number } : withPageText(exchange);
    const { operation: id, ...asked } = request;
    const headers = Array.isArray(asked.headers) ? asked.headers : [...(asked.headers as Headers)].flat();
    const reply = { ...response, problem: problem ? saveProblem(problem) : null };
    return { ...kept, asked: { ...asked, id, headers }, reply, terms: saveTerms(terms) };
  });
};

/** Exchanges with equal terms share them, as before. */
export const exchangesFrom = (saved: readonly SavedExchange[]): Exchange[] => {
  const known = new Map<string, Terms>();
  const texts = new Map<number, string>();
  return saved.map(({ asked, reply: response, terms: savedTerms, ...kept }): Exchange => {
    const key = JSON.stringify(savedTerms);
    const terms = known.get(key) ?? termsFrom(savedTerms);
    known.set(key, terms);
    const text = typeof response.text === 'number' ? texts.get(response.text)! : response.text;
    if (text !== null) texts.set(kept.number, text);
    const problem = response.problem ? new Problem(...response.problem) : undefined;
    return {
      ...kept,
      // Undefined members are lost in JSON.
      fault: kept.fault,
      request: new RequestInfo({ ...asked, operation: asked.id }).shrink(),
      response: { ...response, text, caller: response.caller, page: undefined, problem },
      terms,
    };
  });
};
