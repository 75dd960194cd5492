// An exchange of the journal as plain data, complete: what the journal shows of it is the same afterwards.
import { Problem } from '../contract/errors.ts';
import { type SavedTerms, saveTerms, type Terms, termsFrom } from '../contract/terms.ts';
import { type Asked, type Exchange, type Reply, wholeReply } from '../http/exchange.ts';

/** What it is made of anew. */
type SavedProblem = ConstructorParameters<typeof Problem>;

export interface SavedExchange extends Omit<Exchange, 'asked' | 'reply' | 'terms'> {
  readonly asked: Omit<Asked, 'headers'> & { readonly headers: readonly string[] };
  readonly reply: Omit<Reply, 'problem' | 'page'> & { readonly problem: SavedProblem | null };
  readonly terms: SavedTerms;
}

const saveProblem = ({ status, code, message, fields, headers, check }: Problem): SavedProblem => [
  status,
  code,
  message,
  { fields, headers, check },
];

export const saveExchange = (exchange: Exchange): SavedExchange => {
  const { terms, ...kept } = exchange;
  const { asked } = kept;
  const { page: _, problem, ...reply } = wholeReply(exchange);
  const headers = Array.isArray(asked.headers) ? asked.headers : [...(asked.headers as Headers)].flat();
  return {
    ...kept,
    asked: { ...asked, headers },
    reply: { ...reply, problem: problem ? saveProblem(problem) : null },
    terms: saveTerms(terms),
  };
};

/** Exchanges of equal terms share them, as they did. */
export const exchangesFrom = (saved: readonly SavedExchange[]): Exchange[] => {
  const known = new Map<string, Terms>();
  return saved.map((exchange) => {
    const key = JSON.stringify(exchange.terms);
    const terms = known.get(key) ?? termsFrom(exchange.terms);
    known.set(key, terms);
    return exchangeFrom(exchange, terms);
  });
};

const exchangeFrom = ({ reply: { problem, ...reply }, ...saved }: SavedExchange, terms: Terms): Exchange => ({
  ...saved,
  // What is absent has gone missing where data was written as JSON.
  fault: saved.fault,
  asked: { ...saved.asked, id: saved.asked.id, variable: saved.asked.variable, body: saved.asked.body },
  reply: { ...reply, caller: reply.caller, page: undefined, problem: problem ? new Problem(...problem) : undefined },
  terms,
});
