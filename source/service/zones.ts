import type {Client} from './client.ts';
import {isRecord} from './envelope.ts';
import {pagedItems} from './paging.ts';
import {type Plan, planOf} from './plan.ts';
import {readResult} from './read-result.ts';
import {malformed, optionalText, text} from './reading.ts';

export type Zone = {
	readonly id: string;
	readonly name: string;
	readonly status: string;
	/** As the service names it: "Pro Plan", "Enterprise Website". */
	readonly plan: string;
	/** The plan meant by that; `undefined` where it cannot be told. */
	readonly level: Plan | undefined;
	readonly account: {readonly id: string; readonly name: string};
};

/** The zones that the credential can see, all of them or those of one name; 50 a page. */
export const zones = (
	client: Client,
	query: {readonly name?: string; readonly account?: string},
	signal: AbortSignal,
): AsyncGenerator<Zone> =>
	pagedItems(
		client,
		{
			path: '/zones',
			query: {name: query.name, 'account.id': query.account},
			perPage: 50,
			one: 'a zone',
			read: readZone,
		},
		signal,
	);

/** The zone of an id. A zone that does not exist is refused like a zone that the credential may not see. */
export async function zoneById(client: Client, id: string, signal: AbortSignal): Promise<Zone> {
	const result = await readResult(client, {path: `/zones/${encodeURIComponent(id)}`}, signal);
	if (!isRecord(result)) throw malformed('zone');
	return readZone(result);
}

function readZone(item: Readonly<Record<string, unknown>>): Zone {
	const plan = isRecord(item.plan) ? item.plan : {};
	const account = isRecord(item.account) ? item.account : {};
	const name = optionalText(plan, 'name');
	const legacy = optionalText(plan, 'legacy_id');
	return {
		id: text(item, 'id', 'a zone'),
		name: text(item, 'name', 'a zone'),
		status: optionalText(item, 'status') ?? '',
		plan: name ?? legacy ?? '',
		level: planOf(name, legacy),
		account: {id: optionalText(account, 'id') ?? '', name: optionalText(account, 'name') ?? ''},
	};
}
