# Lets some generated bodies name a real person, so that creating tasks and teams succeeds and what follows it is tested too.
import schemathesis

PERSON = "user_ada"


def known(value):
    """Three generated ids in four become a real one; what is no id stays wrong."""
    return PERSON if isinstance(value, str) and value != "" and len(value) % 4 != 3 else value


@schemathesis.hook
def before_call(context, case, kwargs):
    body = case.body
    if isinstance(body, dict):
        if "assignee_id" in body:
            body["assignee_id"] = known(body["assignee_id"])
        if isinstance(body.get("member_ids"), list):
            body["member_ids"] = [known(one) for one in body["member_ids"]]
