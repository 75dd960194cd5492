// A world with something of everything: two workspaces, keys of each kind, tasks that differ in all that lists look at.
export const BUSY = `
now: 2025-01-20T09:00:00Z
random_seed: 7
workspaces:
  - id: ws_busy
    plan: unlimited
    users:
      - { id: user_ada, name: Ada Adair, email: ada@busy.test, role: admin, avatar_url: https://busy.test/ada.png, created_at: -90d }
      - { id: user_bo, name: Bo Brandt, email: bo@busy.test, role: member, created_at: -60d }
      - { id: user_cy, name: Cy Cole, email: cy@busy.test, role: member, state: invited, created_at: -1d }
    api_keys:
      - { id: key_admin, value: wm_busy_admin, name: Admin, scope: admin, user_id: user_ada, created_at: -50d }
      - { id: key_write, value: wm_busy_write, name: Write, scope: write, user_id: user_bo, created_at: -50d }
      - { id: key_read, value: wm_busy_read, name: Read, scope: read, user_id: user_bo, created_at: -50d }
      - { id: key_old, value: wm_busy_old, name: Old, scope: admin, user_id: user_ada, revoked: true, created_at: -50d }
    projects:
      - id: proj_one
        name: One
        visibility: team
        owner_id: user_ada
        created_at: -30d
        tasks:
          - { id: task_1, title: Paint, status: todo, priority: high, assignee_id: user_bo, due_date: +3d, created_at: -10d,
              comments: [{ id: cmt_1, author_id: user_ada, body: Hello, created_at: -2d }, { id: cmt_2, author_id: user_bo, body: "Hello, you", created_at: -1d }] }
          - { id: task_2, title: Sand, status: todo, priority: low, created_at: -9d }
          - { id: task_3, title: Élan, status: done, priority: high, assignee_id: user_ada, due_date: -1d, created_at: -8d }
          - { id: task_4, title: Paint, status: backlog, due_date: +3d, created_at: -7d }
      - id: proj_two
        name: Two
        description: The second one
        visibility: private
        owner_id: user_bo
        created_at: -20d
        tasks:
          - { id: task_5, title: 漆, status: in_progress, priority: urgent, assignee_id: user_bo, due_date: +1d, created_at: -6d, updated_at: -1d }
          - { id: task_6, title: Zinc, status: in_review, priority: high, assignee_id: user_bo, description: Last of all, created_at: -5d }
      - { id: proj_three, name: Three, visibility: public, owner_id: user_ada, created_at: -10d, updated_at: -9d }
    teams:
      - { id: team_core, name: Core, member_ids: [user_ada, user_bo], created_at: -20d }
      - { id: team_none, name: None, created_at: -19d }
  - id: ws_other
    plan: unlimited
    users: [{ id: user_oz, name: Oz Olsen, email: oz@other.test, role: admin, created_at: -90d }]
    api_keys: [{ id: key_other, value: wm_other_admin, name: Other, scope: admin, user_id: user_oz, created_at: -50d }]
    projects: [{ id: proj_far, name: Far, owner_id: user_oz, created_at: -5d, tasks: [{ id: task_far, title: Far, created_at: -4d }] }]
`;
