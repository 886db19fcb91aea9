/** Credential of a request. Headers are created per request; never logged or shown. */
export type RequestCredential = {headers(): Readonly<Record<string, string>>};

/** Source of credentials for the client. */
export type RequestCredentials = {
	/** Returns the current one, per request: a login is renewed before it expires. */
	current(): Promise<RequestCredential>;
	/** Returns another one after a rejection (401), if any. */
	renew(rejected: RequestCredential): Promise<RequestCredential | undefined>;
};

/** One credential for all requests. */
export const createFixedCredentials = (headers: Readonly<Record<string, string>>): RequestCredentials => ({
	current: async () => ({headers: () => headers}),
	renew: async () => undefined,
});
