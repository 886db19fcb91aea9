/** How far a list is that can be acted on while it is refreshed. `stale`: it was not read since a write. */
export type Rereading = 'unread' | 'reading' | 'failed' | 'read' | 'reading again' | 'stale';

/** Whether it was read once: then it is shown, and can be acted on, while it is refreshed. */
export function wasRead({reading}: {readonly reading: Rereading}): boolean {
	switch (reading) {
		case 'read':
		case 'reading again':
		case 'stale':
			return true;
		case 'unread':
		case 'reading':
		case 'failed':
			return false;
		default:
			return reading satisfies never;
	}
}

/** Its state while it is refreshed; nothing where it was not read yet. */
export function stillShown({reading}: {readonly reading: Rereading}): 'read' | 'stale' | undefined {
	switch (reading) {
		case 'read':
		case 'stale':
			return reading;
		case 'reading again':
			return 'read';
		default:
			return undefined;
	}
}
