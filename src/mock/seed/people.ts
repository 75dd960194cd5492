// Generated people, named by faker.

import type { Random } from '../../service/world/random.ts';
import { BLANKS, type UserRecord } from '../../service/world/records.ts';
import { momentText } from '../../service/world/time.ts';
import { hostOf, slug } from './missing-values.ts';
import type { SeedContext } from './seed-context.ts';

const DAY = 86_400_000;
/** They joined this many days before now. */
const JOINED = { first: 800, last: 420 };

/** Loads what makes people; then makes as many as asked in one go. */
export const peopleMaker = async (): Promise<
  (making: SeedContext, random: Random, workspace: string, count: number) => UserRecord[]
> => {
  const { faker: shared } = await import('@faker-js/faker/locale/en');
  // An instance of our own: seeding the shared one would change what others in this process draw from it.
  const Faker = shared.constructor as new (options: { locale: typeof shared.rawDefinitions }) => typeof shared;
  const faker = new Faker({ locale: shared.rawDefinitions });
  return (making, random, workspace, count) => {
    faker.seed(random.bits('faker'));
    const host = hostOf(workspace);
    return Array.from({ length: count }, (): UserRecord => {
      const id = making.ids.make(random, 'users');
      const name = `${faker.person.firstName()} ${faker.person.lastName()}`;
      const age = (JOINED.last + random.fraction('user age') * (JOINED.first - JOINED.last)) * DAY;
      return {
        ...BLANKS.users,
        id,
        name,
        email: making.email(name, id, host),
        role: random.fraction('role') < 0.1 ? 'admin' : 'member',
        avatar_url: random.fraction('avatar') < 0.8 ? `https://${host}/people/${slug(name)}.png` : null,
        created_at: momentText(making.now - age),
      };
    });
  };
};
