// The seed file that `wm-mock init` writes: small, correct, and its own explanation.

export const STARTER = `# yaml-language-server: $schema=./node_modules/wm-mock/openapi/seed.schema.json
#
# What the mock holds when it starts. Serve it:  npx wm-mock --seed <this file>
# Check it:  npx wm-mock check <this file>
#
# Times are ISO 8601 in UTC, or relative to now: -2h +3d -1w +30m -45s.
# Ids, names and times that you leave out are made, always the same ones for the same random_seed.

# now: 2025-01-20T09:00:00Z   # stops the clock there; without it the mock has the real time
random_seed: 1

# Where the specification leaves a question open, the mock has an answer; here you can give another.
# All questions: npx wm-mock choices
# choices:
#   not-found-code: resource_not_found

workspaces:
  - id: ws_main
    name: My workspace
    plan: business            # free 60, pro 300, business 1000 requests a minute, or unlimited
    # requests_per_minute: 5  # in place of a plan, to meet the limit soon

    users:
      - { id: user_ada, name: Ada Lovelace, email: ada@example.test, role: admin, created_at: -90d }
      - { id: user_grace, name: Grace Hopper, email: grace@example.test, role: member, created_at: -60d }
      # Somebody who has not joined yet:
      - { id: user_alan, name: Alan Turing, email: alan@example.test, role: member, state: invited, created_at: -1d }

    # What clients send as "Authorization: Bearer <value>". Each key has one scope: read, write or admin.
    api_keys:
      - { value: wm_admin, name: Admin, scope: admin, user_id: user_ada }
      - { value: wm_write, name: Write, scope: write, user_id: user_grace }
      - { value: wm_read, name: Read, scope: read, user_id: user_grace }
      - { value: wm_revoked, name: Lost laptop, scope: write, user_id: user_ada, revoked: true }

    projects:
      - id: proj_website
        name: Website relaunch
        description: New site before the spring campaign
        visibility: team      # private, team or public
        owner_id: user_ada
        created_at: -30d
        tasks:
          - id: task_copy
            title: Write the text of the front page
            status: in_progress   # backlog, todo, in_progress, in_review or done
            priority: high        # low, medium, high or urgent
            assignee_id: user_grace
            due_date: +3d
            created_at: -10d
            comments:
              - { author_id: user_ada, body: "Shorter, please.", created_at: -2h }
          - title: Choose the pictures  # a title is enough

    teams:
      - { id: team_web, name: Web, member_ids: [user_ada, user_grace] }

    # Receivers of events: https, or http on this machine. Without \`events\` they get all eight.
    # webhooks:
    #   - { url: "http://127.0.0.1:9999/hook", events: [task.created, task.updated], secret: whsec_main }

    # Realistic data on top of the records above, always the same for the same random_seed.
    # generate: { users: 20, projects: 10, tasks_per_project: 50, comments_per_task: 2, teams: 3 }
`;
