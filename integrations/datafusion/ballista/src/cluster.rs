//! A cluster in one process.

use std::sync::Arc;
use std::time::Duration;

use ballista_core::error::{BallistaError, Result};
use ballista_core::serde::BallistaCodec;
use ballista_core::serde::protobuf::scheduler_grpc_client::SchedulerGrpcClient;
use ballista_executor::new_standalone_executor_from_builder;
use ballista_scheduler::standalone::new_standalone_scheduler_with_builder;
use datafusion::execution::runtime_env::RuntimeEnv;
use datafusion::prelude::SessionContext;

use crate::{connect, logical_codec, physical_codec, scheduler_state, session_config};

/// A scheduler and executors in this process, for tests and trials.
///
/// They are tasks of the runtime that starts them, and end with it.
#[derive(Clone, Debug)]
pub struct InProcess {
    url: String,
}

/// The number of attempts to reach the scheduler.
const TRIES: usize = 100;

impl InProcess {
    /// Starts a scheduler and `executors` executors over the object stores of `runtime`; each executor runs `cores` partitions at a time.
    ///
    /// # Errors
    /// If there are no executors or cores, a port cannot be opened, or the scheduler does not answer.
    pub async fn start(executors: usize, cores: usize, runtime: Arc<RuntimeEnv>) -> Result<Self> {
        if executors == 0 || cores == 0 {
            return Err(BallistaError::Configuration(
                "a cluster without executors or cores would run no query".to_owned(),
            ));
        }
        let codec = BallistaCodec::new(logical_codec(), physical_codec());
        let stores = Arc::clone(&runtime);
        let session_builder = move |config| {
            let state = scheduler_state(config)?;
            Ok(
                datafusion::execution::SessionStateBuilder::new_from_existing(state)
                    .with_runtime_env(Arc::clone(&stores))
                    .build(),
            )
        };
        let address = new_standalone_scheduler_with_builder(
            Arc::new(session_builder),
            Arc::new(session_config),
            codec.clone(),
        )
        .await?;
        let url = format!("http://localhost:{}", address.port());
        let mut tries = 0;
        let scheduler = loop {
            match SchedulerGrpcClient::connect(url.clone()).await {
                Ok(scheduler) => break scheduler,
                Err(error) if tries == TRIES => {
                    return Err(BallistaError::Configuration(format!(
                        "the scheduler does not answer at {url}: {error}"
                    )));
                }
                Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
            }
            tries += 1;
        };
        let functions = SessionContext::new_with_config(session_config()).state();
        for _ in 0..executors {
            let runtime = Arc::clone(&runtime);
            new_standalone_executor_from_builder(
                scheduler.clone(),
                cores,
                Arc::new(session_config),
                Arc::new(move |_| Ok(Arc::clone(&runtime))),
                codec.clone(),
                (&functions).into(),
            )
            .await?;
        }
        Ok(InProcess { url })
    }

    /// A session on this cluster.
    ///
    /// # Errors
    /// The errors of [`connect`].
    pub async fn connect(&self) -> datafusion::error::Result<SessionContext> {
        connect(&self.url).await
    }
}
