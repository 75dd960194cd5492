// What a select offers: records by their names, or the API's own values in words.
import { nameOf } from '../board';

interface Props {
  readonly records: readonly { readonly id: string; readonly name: string }[];
  /** What is chosen: offered, and so kept, while its record is on its way. */
  readonly chosen?: string | null | undefined;
}

const WAITED_FOR = '…';

export const Named = ({ records, chosen }: Props) => {
  const isThere = !chosen || records.some(({ id }) => id === chosen);
  return [...records, ...(isThere ? [] : [{ id: chosen, name: WAITED_FOR }])].map(({ id, name }) => (
    <option key={id} value={id}>
      {name}
    </option>
  ));
};

export const Values = ({ values }: { values: readonly string[] }) => (
  <Named records={values.map((value) => ({ id: value, name: nameOf(value) }))} />
);
