// What a select offers: records by their names, or the API's own values in words.
import { nameOf } from '../board';

export const Named = ({ records }: { records: readonly { id: string; name: string }[] }) =>
  records.map(({ id, name }) => (
    <option key={id} value={id}>
      {name}
    </option>
  ));

export const Values = ({ values }: { values: readonly string[] }) => (
  <Named records={values.map((value) => ({ id: value, name: nameOf(value) }))} />
);
