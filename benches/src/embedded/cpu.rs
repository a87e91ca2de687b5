use anyhow::Context as _;

/// Runs work on a thread and a runtime of its own; answers with the processor time that it took,
/// in milliseconds.
pub(super) fn time<F, Work>(work: F) -> anyhow::Result<f64>
where
    F: FnOnce() -> Work + Send + 'static,
    Work: Future<Output = anyhow::Result<()>>,
{
    let thread = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        runtime.block_on(async {
            let before = used()?;
            work().await?;
            Ok((used()? - before) / 1e6)
        })
    });
    thread
        .join()
        .map_err(|_| anyhow::anyhow!("the measured thread broke down"))?
}

/// What this thread has used, in nanoseconds.
fn used() -> anyhow::Result<f64> {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat")?;
    let used = stat
        .split_whitespace()
        .next()
        .context("the system does not tell a thread's processor time")?;
    Ok(used.parse()?)
}
