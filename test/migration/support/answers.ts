import type {ClientOptions} from '../../../source/service/client.ts';
import {envelope, refused, type Sent, scriptedClient, scriptedUrl} from '../../service/scripted-transport.ts';

export const zone = {
	id: 'd0e032749968114a09730950255c7c0f',
	name: 'acme.example',
	plan: 'enterprise',
	label: 'Acme › zone acme.example',
	account: 'Acme',
} as const;

/** What is answered to a method and a path below the zone: a result, or whatever a function makes of the request. */
export type Answers = Readonly<
	Record<string, object | null | ((request: Sent, query: URLSearchParams) => Response | Promise<Response>)>
>;

/** A client of a service that answers by method and path; what it does not know is a route that is not there. */
export function answering(answers: Answers, options: Partial<ClientOptions> = {}) {
	const made = scriptedClient(
		[
			request => {
				const url = new URL(request.url);
				const path = url.pathname.replace(new URL(scriptedUrl).pathname, '');
				const below = path.replace(`/zones/${zone.id}`, '');
				const answer = answers[`${request.method} ${below}`];
				if (answer === undefined) return refused(404, [{code: 7003, message: `Could not route to ${path}`}]);
				return typeof answer === 'function' ? answer(request, url.searchParams) : envelope(answer);
			},
		],
		options,
	);
	return {
		...made,
		/** "GET /waf_migration/check?phase_two=1", in the order of sending. */
		asked: () =>
			made.sent.map(({method, url}) => `${method} ${url.replace(`${scriptedUrl}/zones/${zone.id}`, '')}`),
	};
}

/** A list in pages, as the service gives it. */
export function paged(items: readonly object[], {total = true, most = 100} = {}) {
	return (_request: Sent, query: URLSearchParams): Response => {
		const page = Number(query.get('page') ?? 1);
		const size = Math.min(Number(query.get('per_page') ?? 50), most);
		const some = items.slice((page - 1) * size, page * size);
		return envelope(some, {
			result_info: {page, per_page: size, count: some.length, ...(total && {total_count: items.length})},
		});
	};
}

export const entryPointPath = '/rulesets/phases/http_request_firewall_managed/entrypoint';
