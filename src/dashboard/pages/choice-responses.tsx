// Side by side: how the world, as it stands now, would respond to the last requests that touch an open point, by each of its options.
import type { ChoiceId } from '../../service/contract/choices.ts';
import { isObject } from '../../service/contract/schema.ts';
import { handleRequest } from '../../service/http/endpoint.ts';
import { type Exchange, withPageText } from '../../service/http/exchange.ts';
import { RequestInfo } from '../../service/http/request-info.ts';
import { parseJson } from '../../service/validation/json-text.ts';
import type { World } from '../../service/world/world.ts';
import type { Context } from '../context.ts';
import { Chip, countWords, Link, Muted } from '../parts.tsx';
import { DataTable } from '../table.tsx';
import { MethodName, StatusChip } from '../traffic-parts.tsx';
import { FIELD_COLUMNS, type ShownDifference } from './request-changes.tsx';

const MAX_FIELDS = 8;

/** The response in a copy of the world, which nothing leaves: no event is sent, nothing is counted. */
const respondWithOption = (world: World, request: RequestInfo, id: ChoiceId, option: string) => {
  const copy = world.fork();
  copy.choose({ [id]: option });
  const { terms } = copy;
  const { status, text, headers } = withPageText({ response: handleRequest(copy, new RequestInfo(request)), terms });
  return { status, headers, body: parseJson(text ?? '') ?? text };
};

const valuesOf = (value: unknown, path: string): readonly (readonly [path: string, value: unknown])[] => {
  if (!isObject(value) && !Array.isArray(value)) return [[path, value]];
  return Object.entries(value).flatMap(([name, inner]) => valuesOf(inner, path === '' ? name : `${path}.${name}`));
};

type OptionResponse = ReturnType<typeof respondWithOption>;

/** Field by field, except that an error and a record have nothing in common. */
const differencesBetween = (before: OptionResponse, after: OptionResponse): readonly ShownDifference[] => {
  const related = before.status < 400 === after.status < 400;
  const [was, is] = [before, after].map(
    (one) => new Map(valuesOf(related ? one : { ...one, body: JSON.stringify(one.body) }, '')),
  );
  const differs = [...new Set([...was!.keys(), ...is!.keys()])].filter((field) => was!.get(field) !== is!.get(field));
  return differs.map((field) => ({ field, before: was!.get(field), after: is!.get(field) }));
};

interface PointProps {
  readonly context: Context;
  readonly id: ChoiceId;
  readonly options: readonly string[];
  readonly chosen: string;
}

const RequestResponses = ({ context, id, options, chosen, exchange }: PointProps & { exchange: Exchange }) => {
  const { request, number } = exchange;
  const now = respondWithOption(context.world, request, id, chosen);
  const others = options.filter((option) => option !== chosen);
  return (
    <div class="change">
      <p class="row">
        <MethodName method={request.method} />
        <Link to={context.href(`/dashboard/requests/req_${number}`)} says={request.target} kind="link mono" />
        <StatusChip status={now.status} />
      </p>
      {others.map((option) => {
        const response = respondWithOption(context.world, request, id, option);
        const fields = differencesBetween(now, response);
        const label = `${chosen} → ${option}: ${countWords(fields.length, 'difference')} in the response to req_${number}`;
        return (
          <>
            <p class="row">
              <Chip>{option}</Chip>
              {fields.length === 0 ? <Muted>the same response</Muted> : <StatusChip status={response.status} />}
            </p>
            {fields.length > 0 && <DataTable label={label} columns={FIELD_COLUMNS} rows={fields} most={MAX_FIELDS} />}
          </>
        );
      })}
    </div>
  );
};

/** @param numbers of requests that touch the point, the newest first */
export const drawResponses = ({ numbers, ...point }: PointProps & { numbers: readonly number[] }) => (
  <section aria-label={`Responses by the options of ${point.id}`}>
    <p class="hint">In copies of the world as it stands now; before is the choice {point.chosen}. Nothing is changed or sent.</p>
    {numbers.map((number) => {
      const exchange = point.context.instance.journal.get(number);
      return exchange && <RequestResponses {...point} exchange={exchange} />;
    })}
  </section>
);
