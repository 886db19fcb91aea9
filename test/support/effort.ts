/** Milliseconds of processor time that some work takes at the least of a few times: other programs do not count in it. */
export function effort(work: () => unknown, times = 5): number {
	const once = () => {
		const begun = process.cpuUsage();
		work();
		const {user, system} = process.cpuUsage(begun);
		return (user + system) / 1000;
	};
	return Math.min(...Array.from({length: times}, once));
}
