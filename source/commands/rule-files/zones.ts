import {Failure} from '../../failure.ts';
import {listZones} from '../../service/zones.ts';
import type {ChosenZone} from '../../session/write-place.ts';
import {toChosenZone} from '../../session/zone.ts';
import {resolveAccountId} from '../../settings/settings.ts';
import type {CommandContext} from '../shell/context.ts';

/** A zone, and the name of its file in a folder, without the ending. */
type ZoneWithFile = {readonly zone: ChosenZone; readonly fileName: string};

/**
 * Lists all zones that the credential sees, each with the name of its file: the zone's name, with its id if
 * other zones have the same name. Fails with `usage` if a zone is named.
 */
export async function listZoneFiles({
	client: openClient,
	options,
	session,
	signal,
}: CommandContext): Promise<readonly ZoneWithFile[]> {
	if (options.zone !== undefined || options.zoneId !== undefined)
		throw new Failure('usage', "--all-zones can't be combined with a zone.", {
			next: 'Leave out one of them.',
		});
	const client = await openClient();
	const account = options.simulate ? undefined : resolveAccountId(await session.sources())?.value;
	const zones: ChosenZone[] = [];
	for await (const zone of listZones(client, {...(account && {account})}, signal))
		zones.push(toChosenZone(zone));
	return zones.map(zone => {
		const isNameUnique = zones.every(other => other === zone || other.name !== zone.name);
		return {
			zone,
			fileName: !isFileName(zone.name) ? zone.id : isNameUnique ? zone.name : `${zone.name}-${zone.id}`,
		};
	});
}

/** True if a zone's name is safe as the name of a file: no separators, no hidden file. */
const isFileName = (name: string): boolean => /^[\p{L}\p{N}_-][\p{L}\p{N}._-]*$/u.test(name);
