import type {ClientOptions} from '../../../source/service/client.ts';
import {
	buildEnvelope,
	buildErrorResponse,
	createScriptedClient,
	type SentRequest,
	scriptedUrl,
} from '../../service/scripted-transport.ts';

export const zone = {
	id: 'd0e032749968114a09730950255c7c0f',
	name: 'acme.example',
	plan: 'enterprise',
	label: 'Acme › zone acme.example',
	account: 'Acme',
} as const;

/** Responses by method and path below the zone: a result, or a function that builds the response. */
export type ZoneResponses = Readonly<
	Record<
		string,
		object | null | ((request: SentRequest, query: URLSearchParams) => Response | Promise<Response>)
	>
>;

/** A client of a service with these responses; all other routes do not exist. */
export function createZoneClient(answers: ZoneResponses, options: Partial<ClientOptions> = {}) {
	const scripted = createScriptedClient(
		[
			request => {
				const url = new URL(request.url);
				const path = url.pathname.replace(new URL(scriptedUrl).pathname, '');
				const zonePath = path.replace(`/zones/${zone.id}`, '');
				const response = answers[`${request.method} ${zonePath}`];
				if (response === undefined)
					return buildErrorResponse(404, [{code: 7003, message: `Could not route to ${path}`}]);
				return typeof response === 'function' ? response(request, url.searchParams) : buildEnvelope(response);
			},
		],
		options,
	);
	return {
		...scripted,
		/** The requests in the order of sending, such as "GET /waf_migration/check?phase_two=1". */
		listRequests: () =>
			scripted.sent.map(({method, url}) => `${method} ${url.replace(`${scriptedUrl}/zones/${zone.id}`, '')}`),
	};
}

/** A list in pages, as the service returns it: at most `most` items a page, with the total if `total`. */
export function respondInPages(items: readonly object[], {total = true, most: maxPageSize = 100} = {}) {
	return (_request: SentRequest, query: URLSearchParams): Response => {
		const page = Number(query.get('page') ?? 1);
		const size = Math.min(Number(query.get('per_page') ?? 50), maxPageSize);
		const pageItems = items.slice((page - 1) * size, page * size);
		return buildEnvelope(pageItems, {
			result_info: {page, per_page: size, count: pageItems.length, ...(total && {total_count: items.length})},
		});
	};
}

export const entryPointPath = '/rulesets/phases/http_request_firewall_managed/entrypoint';
