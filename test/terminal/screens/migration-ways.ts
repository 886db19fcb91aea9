import {environmentOf, usual} from '../../screens/support/migration-ways.ts';
import type {MigratingZone} from '../../support/migration.ts';
import {type OpenOptions, openScreen, type Screen} from '../screen/open.ts';

/** A person in front of a terminal, with that zone. */
export async function atHomeOf(zone: MigratingZone, {env, ...size}: OpenOptions = usual): Promise<Screen> {
	const screen = await openScreen(['--zone', zone.name], {
		cwd: zone.cwd,
		env: {...environmentOf(zone), ...env},
		...size,
	});
	await screen.waitFor(/Account +Acme/);
	return screen;
}
