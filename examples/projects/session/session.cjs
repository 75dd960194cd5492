// A session that every test runner of these projects plays with the mock: what came, beside what was to come.
module.exports = async (mock) => {
  const server = await mock.listen();
  const headers = { ...mock.auth('write'), 'content-type': 'application/json' };
  const response = await mock.fetch(server.baseUrl + '/projects', { method: 'POST', headers, body: '{"name":"Site"}' });
  const { data } = await response.json();
  const [request] = mock.requests;
  await mock.close();
  return { got: [response.status, data.name, request.operation], expected: [201, 'Site', 'createProject'] };
};
