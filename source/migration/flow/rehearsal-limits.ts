import type {Snapshot} from '../zone/snapshot.ts';

/** What a rehearsal cannot show, in sentences. */
export const cannotShow = ({unread, zone, managed}: Snapshot): readonly string[] => [
	'Whether the live service behaves as the simulated one: the simulator makes assumptions here (listed in docs/service.md).',
	'What the new rules do to traffic: no request passes through a rehearsal.',
	'How long it takes: the service may need up to an hour, and nobody waits in a rehearsal.',
	'Whether the credential may write to this zone.',
	...(managed?.every(({rules}) => rules)
		? []
		: ['Whether the ids of managed rules in the configuration are known to the service.']),
	'What others change meanwhile: the zone was read once, before.',
	...(zone.plan === undefined
		? ['What the plan of the zone allows: it could not be read, and Enterprise was assumed.']
		: []),
	...unread.map(({what, why}) => `What hangs on this, which could not be read: ${what} (${why})`),
];
