// The part that we use of the module that durable object engines provide.
declare module 'cloudflare:workers' {
  export const DurableObject: new (ctx: never, env: never) => object;
}
