/**
 * Milliseconds of processor time that `work` takes, the least of several runs. Other programs do not count.
 */
export function measureCpuTime(work: () => unknown, runCount = 5): number {
	const measureOnce = () => {
		const start = process.cpuUsage();
		work();
		const {user, system} = process.cpuUsage(start);
		return (user + system) / 1000;
	};
	return Math.min(...Array.from({length: runCount}, measureOnce));
}
