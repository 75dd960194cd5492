import { createMock, type EventName, type Mock, type Task, type TaskDraft } from 'wm-mock';
import { handlers } from 'wm-mock/msw';
export const status: Task['status'] = 'todo';
export const event: EventName = 'task.created';
// @ts-expect-error there is no such status
export const wrong: TaskDraft['status'] = 'nope';
export const mock = createMock({ seed: 'demo' }).then((made: Mock) => handlers(made, { baseUrl: 'http://127.0.0.1/v1' }));
