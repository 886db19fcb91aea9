/** What a request shows of who sends it. Its headers are made for each request; never logged or shown. */
export type RequestCredential = {headers(): Readonly<Record<string, string>>};

/** Where the client gets it from. */
export type RequestCredentials = {
	/** The one in force, asked for by each request: a login is renewed before it expires. */
	current(): Promise<RequestCredential>;
	/** Another one, after the service did not accept this one (401); nothing where there is none. */
	renewed(refused: RequestCredential): Promise<RequestCredential | undefined>;
};

/** One credential for all requests. */
export const fixedCredentials = (headers: Readonly<Record<string, string>>): RequestCredentials => ({
	current: async () => ({headers: () => headers}),
	renewed: async () => undefined,
});
