// What is used of the module that engines of durable objects bring.
declare module 'cloudflare:workers' {
  export const DurableObject: new (ctx: never, env: never) => object;
}
