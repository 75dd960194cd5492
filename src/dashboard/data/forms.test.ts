// The forms of the data page: what they change, where they lead, what they say, and how they refuse.
import { expect, test } from 'vitest';
import { replayForms } from '../../test/forms.ts';

test('each form of the data page leads on with a note, or says at its fields why it is refused', async () => {
  const transcript = await replayForms('src/dashboard/data/golden/forms.txt');
  await expect(transcript).toMatchFileSnapshot('golden/forms.txt');
});
