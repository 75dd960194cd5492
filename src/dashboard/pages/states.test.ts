// Every other page in each of its states, line by line: what stands on it, in which words, and where it leads.
import { describe } from 'vitest';
import { bare, busy, CARD, changed, INBOX, LOG, pagesOf } from '../../test/states.ts';

describe('After a morning of traffic', () => {
  pagesOf(
    {
      overview: '/',
      settings: '/dashboard/settings',
      'settings-of-globex': ['/dashboard/settings?workspace=ws_globex', /div class="page-head"|section .*id="(keys|plan)"/],
      requests: '/dashboard/requests',
      'requests-filtered': '/dashboard/requests?status=4xx&path=/tasks*&method=GET&operation=getTask',
      'requests-none': '/dashboard/requests?operation=deleteTeam',
      'requests-before': ['/dashboard/requests?before=req_3', CARD('journal')],
      'request-of-a-list': '/dashboard/requests/req_1',
      'request-that-creates': '/dashboard/requests/req_2',
      'request-that-changes': '/dashboard/requests/req_3',
      'request-with-a-fault': '/dashboard/requests/req_4',
      'request-of-another-release': ['/dashboard/requests/req_7', /div class="notice|ol class="checks"/],
      'request-with-mistakes': '/dashboard/requests/req_8',
      'request-of-a-revoked-key': '/dashboard/requests/req_10',
      'request-for-nothing': ['/dashboard/requests/req_11', /ol class="checks"|div class="page-head"/],
      'request-last': ['/dashboard/requests/req_15', /div class="page-head"|form aria-label|form action/],
      webhooks: '/dashboard/webhooks',
      'webhook-new': ['/dashboard/webhooks?new=1', /div class="page-head"|section class="card"/],
      'webhook-one': ['/dashboard/webhooks?id=wh_board', /dl class="facts"/],
      'webhook-none': '/dashboard/webhooks?id=wh_none',
      deliveries: LOG,
      'deliveries-retrying': `${LOG}?state=retrying&event=task.updated&webhook_id=wh_hooks`,
      'deliveries-before': [`${LOG}?before=dlv_rm8qm094we55mb6y`, CARD('deliveries')],
      'deliveries-none': [`${LOG}?state=pending`, CARD('deliveries')],
      'delivery-delivered': `${LOG}/dlv_83wn4z8c7y5bfa6g`,
      'delivery-failed': [`${LOG}/dlv_dfqmgv1aygapbxhg`, /section .*id="(attempts|answer)"|dl class="facts"/],
      'delivery-retrying': [`${LOG}/dlv_rm8qm094we55mb6y`, /div class="page-head"|section .*id="(attempts|answer)"/],
      inbox: INBOX,
      'inbox-box': `${INBOX}?name=orders`,
      'inbox-box-older': [`${INBOX}?name=orders&from=1`, CARD('messages')],
      'inbox-box-empty': `${INBOX}?name=%20mine%20`,
      clock: '/dashboard/clock',
      faults: '/dashboard/faults',
      'fault-prefilled': [
        '/dashboard/faults?operation=createTask&status=503&times=1&method=POST&path=%2Ftasks&key=key_x',
        CARD('new'),
      ],
      'choices-found': '/dashboard/choices?find=%20Cursor-limit',
      'choices-touched-found': '/dashboard/choices?show=touched&find=signature',
      'choices-changed': '/dashboard/choices?show=changed',
      'choices-none': '/dashboard/choices?show=changed&find=nothing-of-that',
      'choices-marks': ['/dashboard/choices', /section class="choice"|a class="chip info"|span class="chip info"/],
    },
    busy,
  );
});

describe('Where nothing is yet', () => {
  pagesOf(
    {
      'bare-overview': '/',
      'bare-settings': '/dashboard/settings',
      'bare-requests': '/dashboard/requests',
      'bare-webhooks': '/dashboard/webhooks',
      'bare-deliveries': LOG,
      'bare-inbox': INBOX,
      'bare-clock': '/dashboard/clock',
      'bare-faults': ['/dashboard/faults', /div class="page-head"|section .*id="faults"/],
      'bare-choices': '/dashboard/choices?show=touched',
    },
    bare,
  );
});

describe('In a world of its own, where much was changed', () => {
  const AT = '/worlds/other';
  pagesOf(
    {
      'changed-overview': `${AT}/`,
      'changed-overview-of-default': ['/', /section .*id="worlds"|div class="page-head"/],
      'changed-settings': `${AT}/dashboard/settings?workspace=ws_globex`,
      'changed-settings-of-acme': [`${AT}/dashboard/settings`, /id="(key|member)-list"/],
      'changed-requests': `${AT}/dashboard/requests`,
      'changed-request-closed': [`${AT}/dashboard/requests/req_1`, /div class="page-head"|div class="sides"|ol class="checks"/],
      'changed-request-that-deletes': `${AT}/dashboard/requests/req_2`,
      'changed-request-of-nobody': `${AT}/dashboard/requests/req_3`,
      'changed-request-broken': [`${AT}/dashboard/requests/req_4`, /div class="sides"|div class="notice|ol class="checks"/],
      'changed-request-of-a-webhook': [`${AT}/dashboard/requests/req_5`, /div class="sides"|section class="card/],
      'changed-webhooks': `${AT}/dashboard/webhooks`,
      'changed-deliveries': `${AT}${LOG}`,
      'changed-inbox': `${AT}${INBOX}`,
      'changed-clock': `${AT}/dashboard/clock`,
      'changed-faults': [`${AT}/dashboard/faults`, /div class="page-head"|section .*id="faults"/],
      'changed-choices': `${AT}/dashboard/choices?show=changed`,
    },
    changed,
  );
});
