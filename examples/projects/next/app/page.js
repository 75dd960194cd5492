export const dynamic = 'force-dynamic';
export default async function Page() {
  const response = await fetch(process.env.API + '/users/me', { headers: { authorization: 'Bearer ' + process.env.KEY } });
  return <p>asked {(await response.json()).data.id}</p>;
}
