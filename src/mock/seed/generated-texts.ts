// The words of which generated work is made, by the kind of work, and the names, titles, descriptions and comments made of them.
import type { Random } from '../../service/world/random.ts';
import { pickOne } from './seed-context.ts';

/** A title is a verb, an object of 2 or 3 words, and at times an ending. */
interface Domain {
  readonly subjects: readonly string[];
  readonly kinds: readonly string[];
  readonly verbs: readonly string[];
  readonly objects: readonly string[];
}

/** Texts that stand with commas between them. */
const list = (text: string): readonly string[] => text.split(/,\s+/);

export const DOMAINS: readonly Domain[] = [
  {
    subjects: list(
      'Website, Mobile app, Checkout, Billing, Search, Notifications, Admin console, Reporting, Onboarding, Sign-in',
    ),
    kinds: list('relaunch, redesign, speed-up, beta, clean-up, migration, accessibility, rewrite'),
    verbs: list('Fix, Rework, Test, Document, Simplify, Measure, Polish, Review, Cover, Finish'),
    objects: list(`checkout error messages, the settings page, search result ranking, password reset mails, the upload dialog,
      session expiry handling, CSV export columns, the empty states, keyboard navigation, rate limit headers,
      the invoice preview, push notification texts, slow dashboard queries, time zone conversion, the crash reports,
      the sign-up form, image loading order, the audit log, retry behaviour, flaky browser tests`),
  },
  {
    subjects: list('Spring, Summer, Autumn, Holiday, Partner, Newsletter, Trade fair, Brand, Video, Customer story'),
    kinds: list('campaign, launch, series, refresh, plan, push, programme, contest'),
    verbs: list('Write, Draft, Translate, Approve, Schedule, Update, Proofread, Publish, Plan, Review'),
    objects: list(`the landing page, launch mail copy, customer interview questions, the press release, social media posts,
      the pricing page, product photo captions, the speaker notes, next month’s newsletter, the booth layout,
      search ad texts, a case study, the brand guide, webinar slides, the feature comparison, partner logos page`),
  },
  {
    subjects: list('Office, Warehouse, Supplier, Server, Security, Backup, Inventory, Shipping, Budget, Compliance'),
    kinds: list('move, audit, review, renewal, consolidation, upgrade, handover, inspection'),
    verbs: list('Renew, Check, Compare, Order, Replace, Approve, Negotiate, Cancel, Update, Review'),
    objects: list(`the cleaning contract, two supplier quotes, the backup schedule, laptop insurance terms, the parking permits,
      cloud storage plan, expired access cards, the fire extinguishers, monthly shipping rates, the coffee machine,
      spare network cables, the office lease, the phone contracts, label printer supplies, warehouse shelf labels,
      domain name registrations`),
  },
  {
    subjects: list('Hiring, Training, Handbook, Salary, Mentoring, Team day, Internship, Feedback, Benefits, New starters'),
    kinds: list('round, overhaul, pilot, survey, calendar, guide, week, checklist'),
    verbs: list('Prepare, Schedule, Review, Rewrite, Collect, Share, Discuss, Update, Approve, Plan'),
    objects: list(`first week agenda, the interview questions, the holiday calendar, three job adverts, the feedback form,
      the reference letters, candidate shortlist, parental leave policy, survey results, the training budget,
      the welcome package, mentor pairings, quarterly goals overview, the travel policy, the org chart,
      exit interview notes`),
  },
];

/** At most three words each; the empty ones leave a title short. */
export const ENDINGS: readonly string[] = [
  ...['', '', '', ''],
  ...list(`before the release, for the beta, once more, with the team, for new customers, in German, on mobile,
      by Friday, after the review, for the board, with legal, in both regions, for Q3, as a draft`),
];

export const SENTENCES: readonly string[] = [
  'Two customers asked about this last week.',
  'The current state is fine for most people, but not for anyone who works on a small screen.',
  'See the notes from the last planning meeting for the background.',
  'Please keep the old version around until the new one has run for a week.',
  'This blocks two other tasks, so an early answer is worth more than a perfect one.',
  'Numbers from last quarter are in the shared folder.',
  'We agreed on the second option; the first one turned out to be too expensive.',
  'It should take half a day, unless the data is worse than we think.',
  'Nobody has looked at this since the spring.',
  'Ask before changing anything that customers can see.',
  'There is a draft, but it needs another pair of eyes.',
  'Done means: written down, shown to one person outside the team, and linked from the project page.',
  'If this slips, tell the owner of the project as early as possible.',
  'The figures have to match the ones in the annual report.',
  'A screenshot says more than a paragraph here.',
  'We tried something similar two years ago and it failed for reasons that no longer hold.',
  'Start with the part that is easiest to undo.',
  'The deadline is soft, the quality is not.',
];

export const STEPS: readonly string[] = list(`collect what we have, agree on the scope, make a first version,
    ask two people for comments, check the numbers, tell support, update the documentation,
    clean up behind us`);

export const COMMENTS: readonly string[] = [
  'Looks good to me.',
  'I can take this on Thursday.',
  'Blocked until the numbers are in.',
  'Done on my side, please have a look.',
  'Could you add a screenshot?',
  'Moved the date, we are waiting for an answer.',
  'Talked about it today: we go with the smaller version.',
  'I am not sure that this is still needed.',
  'The first half is finished, the second half is the hard one.',
  'Thanks, that helps.',
  'Same problem here, but only on slow connections.',
  'Who decides this in the end?',
  'Let us not forget the people who are on holiday.',
  'I left two remarks in the document.',
  'Agreed. Closing this once it is live.',
  'This turned out to be more work than it looks.',
];

export const TEAM_NAMES: readonly string[] =
  list(`Design, Platform, Growth, Support, Mobile, Finance, Operations, Research, Content, Security, Data, Partners,
      People, Sales, Quality, Infrastructure, Events, Legal, Logistics, Community`);

const PHRASE_NAMES: readonly { readonly name: string; readonly domain: Domain }[] = DOMAINS.flatMap((domain) =>
  domain.subjects.flatMap((subject) => domain.kinds.map((kind) => ({ name: `${subject} ${kind}`, domain }))),
);

export class Phrases {
  readonly #random: Random;
  readonly #firstName: number;

  constructor(random: Random) {
    this.#random = random;
    this.#firstName = random.bits('project name') % PHRASE_NAMES.length;
  }

  /** The name of the nth project: all differ. */
  project(n: number): (typeof PHRASE_NAMES)[number] {
    // 77 has no divisor in common with the number of names, so the steps meet each name once.
    const { name, domain } = PHRASE_NAMES[(this.#firstName + n * 77) % PHRASE_NAMES.length]!;
    const round = Math.floor(n / PHRASE_NAMES.length);
    return { name: round === 0 ? name : `${name} ${round + 1}`, domain };
  }

  title({ verbs, objects }: Domain): string {
    const ending = pickOne(this.#random, 'ending', ENDINGS);
    const title = `${pickOne(this.#random, 'verb', verbs)} ${pickOne(this.#random, 'object', objects)}`;
    return ending === '' ? title : `${title} ${ending}`;
  }

  /** Nothing for a third, else from a sentence to a few paragraphs. */
  description(): string | null {
    const size = Math.floor(this.#random.fraction('size') * 9);
    if (size < 3) return null;
    let text = pickOne(this.#random, 'sentence', SENTENCES);
    for (let i = 4; i < size; i++) text += `${i === 6 ? '\n\n' : ' '}${pickOne(this.#random, 'sentence', SENTENCES)}`;
    return size === 8 ? `${text}\n\n${this.#steps()}` : text;
  }

  comment(): string {
    const text = pickOne(this.#random, 'comment', COMMENTS);
    return this.#random.fraction('longer') < 0.3 ? `${text} ${pickOne(this.#random, 'sentence', SENTENCES)}` : text;
  }

  #steps(): string {
    const first = Math.floor(this.#random.fraction('step') * (STEPS.length - 3));
    return STEPS.slice(first, first + 4)
      .map((step) => `- ${step}`)
      .join('\n');
  }
}
